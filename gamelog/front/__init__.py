"""The functions and classes of ``import gamelog``. No other package imports them."""
