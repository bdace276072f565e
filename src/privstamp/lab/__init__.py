"""The laboratory: what releases give and take, measured. One way to estimate, watch and report."""
