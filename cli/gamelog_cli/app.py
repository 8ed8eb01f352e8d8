"""Wires the commands."""

import typer

app = typer.Typer(name="gamelog", no_args_is_help=True, add_completion=False)


@app.callback()
def root() -> None:
    """Record, verify and replay games played at a table."""


def main() -> None:
    """The console script."""
    app()
