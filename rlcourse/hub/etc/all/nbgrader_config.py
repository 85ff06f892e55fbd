"""nbgrader behind the hub: one exchange, in which a student's hand-in and feedback are closed to
all other students. nbgrader itself trusts to names that cannot be guessed.
"""

import glob
import subprocess
import tempfile
from pathlib import Path

from nbgrader.exchange import default
from nbgrader.utils import notebook_hash


class Submit(default.ExchangeSubmit):
    """nbgrader opens a hand-in to everyone; here only its student and the teachers can enter it."""

    def copy_files(self) -> None:
        """Copy, close, and only then move to where everyone can name it."""
        # Copied inside a folder that is closed, so that nothing is open for a moment either.
        # `inbound` hands on its group, the teachers.
        inbound = Path(self.inbound_path)
        with tempfile.TemporaryDirectory(dir=inbound) as closed:
            self.inbound_path = closed
            super().copy_files()
            made = Path(closed, self.assignment_filename)
            made.chmod(0o770)
            made.rename(inbound / made.name)


class ReleaseFeedback(default.ExchangeReleaseFeedback):
    """A page of feedback can be read by its student and the teacher who released it."""

    def copy_files(self) -> None:
        """Release the pages, each with an access list of its own."""
        super().copy_files()
        for page in map(Path, glob.glob(f"{self.src_path}/*.html")):
            student, secret = page.parents[1].name, page.parent / "submission_secret.txt"
            checksum = notebook_hash(secret=secret.read_text(), notebook_id=page.stem)
            rights = f"u::rw,g::-,o::-,u:{student}:r,m::r"
            released = Path(self.dest_path, f"{checksum}.html")
            subprocess.run(["setfacl", "--set", rights, released], check=True)


c = get_config()
c.Exchange.root = str(Path(__file__).resolve().parents[2] / "exchange")
c.CourseDirectory.course_id = "rlcourse"
c.ExchangeFactory.submit = Submit
c.ExchangeFactory.release_feedback = ReleaseFeedback
