"""How far a wrapper may be trusted: what it was learned from, estimates, PAC bounds."""
