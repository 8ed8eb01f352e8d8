"""Judging a record: decoding, replay, findings and verdict."""
