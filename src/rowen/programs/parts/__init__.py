"""What exported wrappers run: each module is copied into them unchanged.

So they need the standard library only and import nothing of ours but each other. Each ends in a
function `read_...(page, ...)`, which returns what the wrapper's `extract` returns.
"""
