"""Local copies of the lists that the interface can neither search nor sort.

A mirror is never the truth: a detail page asks the service, and each list says how old it is.
"""
