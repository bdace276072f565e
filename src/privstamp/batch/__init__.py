"""Texts that are larger than memory, in parts that share their surrogates."""
