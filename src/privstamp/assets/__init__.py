"""Files that parts need: what there is, fetched, verified, kept."""
