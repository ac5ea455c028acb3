"""The profile `current`: differences of today's services from the interface's document.

The families serve the document. The differences are applied at the edge: a request is translated
before a family gets it, and its answer is translated afterwards.
"""
