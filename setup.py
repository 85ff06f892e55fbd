"""Everything stands in pyproject.toml, but for two things that cannot.

An editable installation, too, brings the data files: setuptools asks a distribution for `has_data`
there, a name that it does not have (84.2); without it the part of the boards that lives in
JupyterLab would be left out. And the addresses of the package are those of
[tool.rlcourse.addresses] that are not empty.
"""

import tomllib
from pathlib import Path

from setuptools import Distribution, setup

Distribution.has_data = Distribution.has_data_files
project = tomllib.loads(Path(__file__).with_name("pyproject.toml").read_text(encoding="utf-8"))
addresses = project["tool"]["rlcourse"]["addresses"]
setup(
    project_urls={
        name.capitalize(): address for name, address in addresses.items() if "://" in address
    }
)
