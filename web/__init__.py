"""The page: HTTP, streams, roles and what a browser loads. It hands actions on and shows states; it knows no rules."""
