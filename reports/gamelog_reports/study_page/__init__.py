"""The page about a study of variants, in words."""
