"""What is shown of a record: one step for each event, as far as a viewer may know it."""
