"""What start.py does, one idea a file. Standard library only: it runs
before anything is installed.
"""
