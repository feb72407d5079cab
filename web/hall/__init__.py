"""The pages of a hall of tables, as small as they can be; a table's own pages are beside this folder."""
