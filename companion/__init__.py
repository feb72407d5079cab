"""The companion: rules, game, records and protocol are pure; storage, camera and service are the running program."""
