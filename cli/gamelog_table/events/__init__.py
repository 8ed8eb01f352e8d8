"""Events that a link proposes: choices, taps and forms for them, their check, and their recording."""
