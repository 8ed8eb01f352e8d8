"""Served records: their files, their views, and the folder that contains them."""
