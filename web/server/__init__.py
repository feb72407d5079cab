"""The server that the page runs on: waitress, HTTPS in front of it, and what they refuse by themselves."""
