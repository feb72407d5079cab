"""Quadrants and points of boards whose checkers are known, painted and rendered, for the nets that read them."""
