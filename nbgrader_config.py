"""nbgrader's settings: `solutions/` is the source, `exercises/` the release, everything else lies
in the ignored `.course/`.
"""

from pathlib import Path

from rlcourse.nbgrader_settings import put_programs_on_the_path, settings

put_programs_on_the_path()
root = Path(__file__).resolve().parent if "__file__" in globals() else Path.cwd()
(root / ".course").mkdir(exist_ok=True)

c = get_config()  # noqa: F821, nbgrader provides it

for name, values in settings(
    root, root / ".course", source="solutions", release="exercises"
).items():
    c[name].update(values)
