"""What two games or more do alike: boards as graphs, files of a package, six-sided dice. A game's own rules stay its own."""
