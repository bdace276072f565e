"""What an attacker gets: measured risk of a policy, with intervals and floors."""
