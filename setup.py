"""Everything stands in pyproject.toml. Only this cannot: an editable installation, too, brings the data files.

setuptools asks a distribution for `has_data` there, a name that it does not have (84.2); without it the part of the boards
that lives in JupyterLab would be left out.
"""

from setuptools import Distribution, setup

Distribution.has_data = Distribution.has_data_files
setup()
