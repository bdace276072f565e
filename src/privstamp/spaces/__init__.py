"""Units of a text and all that is public about them: words (`glove`, `vectors:`) or pieces."""
