"""The profile `current`: how services of today differ from the interface's document.

The families serve the document. What differs is done at the edge: a request is understood before
a family has it, and its answer is shaped after.
"""
