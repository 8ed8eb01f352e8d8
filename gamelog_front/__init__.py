"""The functions and classes of ``import gamelog``, which load it at their first use."""
