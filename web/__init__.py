"""The page: HTTP, event streams, roles and static files. It passes actions on and shows states; it knows no rules."""
