"""Handlers of the pages for people: the table, the lobby, new records, and downloads."""
