"""Reading the mails that people, and their machines, send us. Pure."""
