"""The pages of baselines."""
