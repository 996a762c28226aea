"""Verification: each run extracts some pages with copied records again and compares.

The paper trusts the declared scope and context. Rowen checks them, within 2% of a run's cost:
`costs` estimates what a check takes, `rotation` says whose turn it is, `budget` chooses what this
run can pay for, `selection` applies that to a snapshot, `sample` is the part of one partition,
`checking` extracts and compares, and `difference` says what a wrong copy means.
"""
