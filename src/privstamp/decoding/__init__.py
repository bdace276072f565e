"""From a noisy vector back to an output row."""
