"""`python -m anagnosis`."""

from anagnosis.cli import main

if __name__ == "__main__":
    main()
