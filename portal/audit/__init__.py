"""The audit trail: its entries, their chain and words, guards of writes, and the way back."""
