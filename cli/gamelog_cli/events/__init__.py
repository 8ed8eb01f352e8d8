"""Events as people type them, and as the program prints them: for commands and the conversation."""
