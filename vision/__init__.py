"""A reader of the dice and checkers in pictures of boards: frames in, readings out. Nothing here knows the rules."""
