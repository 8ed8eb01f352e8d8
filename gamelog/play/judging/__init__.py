"""Judging a record: decoding, proposals, replay, findings and verdict."""
