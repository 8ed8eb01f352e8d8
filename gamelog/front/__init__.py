"""The front door: what ``import gamelog`` offers,
built from the floors below and imported by none of them.
"""
