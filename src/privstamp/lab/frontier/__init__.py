"""What each mechanism gives and takes, measured on one space: attack success against meaning."""
