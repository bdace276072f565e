"""From a text to its release: records, draws, surrogates, the certificate."""
