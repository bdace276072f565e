"""What is known of text before any part looks at it."""
