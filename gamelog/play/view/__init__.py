"""The record as a viewer may see it: a step for each event."""
