"""Lazy loading: packages that load their public names on first use."""

from importlib import import_module


def load(package: str, name: str, homes: dict[str, str]) -> object:
    """Return the value of `name` in `package`. `homes` lists the names of each module.

    Raises:
        AttributeError: No module in `homes` has this name.
    """
    for module, names in homes.items():
        if name in names.split():
            value: object = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
