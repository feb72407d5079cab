"""The page's HTTP server: one loop holds all connections, h11 reads the requests, Flask answers them in a few threads."""
