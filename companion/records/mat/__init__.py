"""`.mat` files, Jellyfish's text of a match: reader, writer, and the positions that eXtreme Gammon adds to them."""
