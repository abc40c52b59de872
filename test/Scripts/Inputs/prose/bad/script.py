"""Runs a leaf."""
TEXT = "# a leaf in a string"
# A comment about a leaf.
