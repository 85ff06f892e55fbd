"""The Go Text Protocol, version 2 (Farneback 2002), both ways; SGF.

Engines that we call, and our agents as an engine.
"""
