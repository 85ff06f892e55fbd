"""JupyterHub's spawner of local processes, with limits."""

import resource
from collections.abc import Callable
from pathlib import Path

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Unicode

from rlcourse.hub.limits import make_groups, rlimits

VICTIM = "300"  # of -1000 to 1000: where the machine's memory ends, students' processes go first


class LimitedSpawner(LocalProcessSpawner):
    """JupyterHub's spawner of local processes, whose servers begin within their limits."""

    control_group = Unicode(help="name of the server's own control group").tag(config=True)

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """What the child does before it becomes the user's server."""
        memory = int(self.mem_limit)
        try:
            groups = make_groups(self.control_group, name, memory, self.cpu_limit)
        except OSError as error:
            self.log.warning("no control group for %s (%s): limits of a process only", name, error)
            groups = []
        become_user = super().make_preexec_fn(name)

        def preexec() -> None:
            """Enter the groups and give up all rights, in this order."""
            for group in groups:
                (group / "cgroup.procs").write_text("0")
            Path("/proc/self/oom_score_adj").write_text(VICTIM)
            for kind, limit in rlimits(memory):
                resource.setrlimit(kind, (limit, limit))
            become_user()

        return preexec
