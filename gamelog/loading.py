"""Names of a package that are loaded when they are first asked for."""

from importlib import import_module


def load(package: str, name: str, homes: dict[str, str]) -> object:
    """What `name` means in `package`, from the module that is its home. Raises AttributeError."""
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"gamelog.{homes[name]}"), name)
    return value
