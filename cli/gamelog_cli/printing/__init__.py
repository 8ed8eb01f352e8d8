"""Printing on terminals and to programs: lines, tables, boards, JSON, CSV, and the languages."""
