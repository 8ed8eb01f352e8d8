"""What `help` says in the recorder."""

HELP = """Type an event as its name and its parts: attack C3 C4. Tab completes; names may be shortened, and written in any case.
Dice are typed as 4 3 3, or 433, several hands as 6655 123;
those that follow from a seed or from revealed links are written by themselves.
  legal [WORDS]   what may be played now     board               draws the board again
  list [N]        the last N events, with their numbers and with what does not stand
  undo [N]        takes the last decision back, or goes back to the position after event N
  fix DICE, fix N EVENT, fix before N EVENT   corrects what was written wrong, or forgotten; what followed stands again
  played EVENT    records an illegal event that was played
  note TEXT       a comment                  claim PLAYER TEXT   a player's claim; about N: TEXT names the event
  pause, resume   the clock                  substitute SEAT NAME
  resign PLAYER   agree PLAYER WINNERS       accept PLAYER, decline PLAYER      result WINNERS
  gap POSITION REASON                        ruling EVENT KIND by NAME: REASON
  quit            stops; gamelog record FILE goes on later
A player is named by name or seat. Where the game has an event of the same name, write @claim, @resign and so on."""
