"""Everything on disk; nothing here knows the camera or the page's state."""
