from tests.cli.keystrokes import main

main()
