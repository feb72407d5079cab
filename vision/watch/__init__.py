"""Following a camera from frame to frame."""
