"""The games of Gamelog, each in a folder with the same file names, and the list of installed games.

``names()`` returns the ids, ``find(id)`` one game. ``installed_games()`` returns all games with their
distributions, also games by other authors:

>>> gamelog.games.names()
('dice_flags', 'gp02a_territory', 'slicewars', 'zone_control', 'zone_s')
>>> gamelog.games.find("slicewars")
<Game slicewars, rules 1.0>
"""

from gamelog.play.contract.registry import Installed, find, installed_games, names

__all__ = ["Installed", "find", "installed_games", "names"]
