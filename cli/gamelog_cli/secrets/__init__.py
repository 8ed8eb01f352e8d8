"""Secrets of commit-reveal dice, their revealed links, and the files of seals."""
