"""Dice and boards rendered in three dimensions: by a ray caster of our own, and by the Blender renderer."""
