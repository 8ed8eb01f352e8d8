"""The parts of a fold, each with one kind of facts about the events so far."""
