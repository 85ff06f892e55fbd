"""The Go Text Protocol, version 2 (Farneback 2002): engines, and agents as engines; SGF."""
