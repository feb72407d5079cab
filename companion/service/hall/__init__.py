"""The hall's programs: a table's link, joining a hall, the hub with its pages."""
