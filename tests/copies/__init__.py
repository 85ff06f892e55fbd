"""Copies: are disguised hand-ins found, and are independent ones left alone?"""
