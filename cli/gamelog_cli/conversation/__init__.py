"""Recording at the table, as a conversation: questions, answers, commands, and the screen."""
