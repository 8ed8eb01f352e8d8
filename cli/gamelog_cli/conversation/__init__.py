"""Recording at the table, as a conversation: what is asked, said, shown and typed."""
