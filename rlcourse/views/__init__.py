"""The games where users of other libraries look for them; docs/environments.md describes them.

`zoo`: for PettingZoo, two players. `gym`: for Gymnasium, one player against a fixed opponent. They
are for guests. What the course learns with plays thousands of games at once instead.
"""
