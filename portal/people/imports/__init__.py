"""People from tables: their columns, the preview and its job, and how each item is carried out.

columns    the fields that a table may have, each from the contract, what their cells mean, and what
           a row asks for, held to the contract
compare    what a row asks for against the account's people and groups: an item of a job
"""
