"""The page's HTTP server: waitress, TLS in front of it, and refusals before the application is called."""
