"""Names of a package that are loaded when they are first asked for."""

from importlib import import_module


def load(package: str, name: str, homes: dict[str, str]) -> object:
    """What `name` means in `package`, from the module of `homes` that has it. Raises AttributeError."""
    for module, names in homes.items():
        if name in names.split():
            value: object = getattr(import_module(f"gamelog.{module}"), name)
            return value
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
