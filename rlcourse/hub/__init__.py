"""`rlcourse hub`: a class on one Linux server, by JupyterHub and nbgrader's exchange.

JupyterHub starts, proxies and ends each person's own JupyterLab; nbgrader's exchange carries
sheets, hand-ins and feedback; accounts are those of the system. This folder only lays them out
(`install`, `people`), configures them (`config`), and keeps copies (`backup`).
"""
