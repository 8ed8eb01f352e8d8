"""What two games or more do alike: boards as graphs, phases, dice. A game's own rules stay its own."""
