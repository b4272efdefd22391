"""Accounts: the first one, tries to sign in, and mails to people who are invited."""
