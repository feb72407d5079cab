"""Pictures with their known dice in one form, and new ones made from them: dice moved, pasted and spoiled."""
