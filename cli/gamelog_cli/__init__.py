"""The command line: `gamelog COMMAND …`."""
