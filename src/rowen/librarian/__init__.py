"""The library as an extension of the service: papers arrive, are read in the background, stay."""
