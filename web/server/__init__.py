"""The page's HTTP server: one loop holds all connections, h11 reads requests, Flask answers in a few threads."""
