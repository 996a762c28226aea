"""Wrappers of tables: LR, HLRT, OCLR and HOCLRT, whose records all have all fields."""
