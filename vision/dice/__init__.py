"""Reading dice in a picture."""
