"""A Django app for the tests."""
