"""What exported wrappers run: each module is written into them as it stands.

So they need the standard library only and import nothing of ours but each other. Each ends in a
function `read_...(page, ...)`, which gives what the wrapper's `extract` gives.
"""
