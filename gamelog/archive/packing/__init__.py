"""Packs: many records in one file, with the names of people or with pseudonyms."""
