"""The games, a folder each, the same file names in every one; and which are installed.

``names()`` are the ids, ``find(id)`` gives one, ``installed()`` all with where they come from, other people's
games among them:

>>> gamelog.games.names()
('dice_flags', 'gp02a_territory', 'slicewars', 'zone_control', 'zone_s')
>>> gamelog.games.find("slicewars")
<Game slicewars, rules 1.0>
"""

from gamelog.play.contract.registry import Installed, find, installed, names

__all__ = ["Installed", "find", "installed", "names"]
