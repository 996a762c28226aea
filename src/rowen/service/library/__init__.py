"""The library of a tenant in the service: papers arrive, are read one after the other, and stay."""
