"""Puts this folder on the path, so that the tests below it share `lesson_cases`."""
