"""Trol: tribes of trolls hunt by day and night, for 2 to 5 seats."""
