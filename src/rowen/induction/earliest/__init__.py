"""What the nested and missing-field classes share in learning: the earliest left delimiter wins."""
