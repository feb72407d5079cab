"""What tables and hub say to each other: pure; no broker, no clock, no disk."""
