"""People from tables: their columns and rows, the plan and the job that carries it out."""
