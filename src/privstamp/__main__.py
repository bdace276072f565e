"""`python -m privstamp` is the command `privstamp`."""

from privstamp.cli import main

if __name__ == "__main__":
    main()
