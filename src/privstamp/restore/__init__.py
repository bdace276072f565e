"""The way back: values are put into text that a person reads, never into what a machine follows."""
