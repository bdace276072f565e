"""What privstamp costs, beside what it replaces and what the machine can do."""
