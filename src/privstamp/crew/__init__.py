"""Work side by side: threads with their locks, and processes."""
