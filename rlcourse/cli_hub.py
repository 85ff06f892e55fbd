"""A class on one server: `rlcourse hub init | start | status | add | backup | restore`."""

from pathlib import Path
from typing import Annotated

import typer

from rlcourse.cli_output import AsJson, examples, output
from rlcourse.hub.place import Place, Settings

app = typer.Typer(
    no_args_is_help=True,
    help="A class on one Linux server: JupyterHub and nbgrader's exchange.",
    epilog=examples("hub init --roster class.csv --teacher turing", "hub start"),
)
_Root = Annotated[Path, typer.Option(help="The folder of everything that belongs to the server.")]
ROOT = Path("/srv/rlcourse")
NEW = Settings(())  # what a server has at first


def _place(root: Path) -> Place:
    """The server in this folder. Raises HubError where this is not root on Linux."""
    from rlcourse.hub import install

    install.require_root()
    return Place(root.resolve())


@app.command(
    epilog=examples(
        "hub init --roster class.csv --teacher turing",
        "hub init --memory 3072 --certificate c.pem --key k.pem",
    )
)
def init(
    roster: Annotated[Path | None, typer.Option(help="The class as CSV, as for grade.")] = None,
    teacher: Annotated[
        list[str] | None, typer.Option(help="Account of a teacher; may be repeated.")
    ] = None,
    root: _Root = ROOT,
    host: Annotated[str | None, typer.Option(help="The server's name; else any.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65532, help=f"Of https; else {NEW.port}.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(min=512, help=f"MiB of a person's server; else {NEW.memory}.")
    ] = None,
    cpus: Annotated[
        float | None, typer.Option(min=0.1, help=f"Cores of a person's server; else {NEW.cpus}.")
    ] = None,
    idle: Annotated[
        int | None, typer.Option(min=5, help=f"Minutes until unused servers end; else {NEW.idle}.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=0, help="Servers at a time; else 0, no limit.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="PEM file for https; else one signed here.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key.")] = None,
    environment: Annotated[
        Path | None, typer.Option(help="A Python with both locks; else one made here.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Set a server up, or bring it to this course's version and change what you name."""
    from rlcourse.hub import install, people

    place = _place(root)
    people.make_groups(place)
    install.make_folders(place)
    limits = {"memory": memory, "cpus": cpus, "idle": idle, "most": most}
    settings = place.remember(teacher or (), host=host, port=port, **limits)
    output.say(f"Course: {install.lay_course(place)} files in {place.course}")
    install.lay_teacher(place)
    install.lay_settings(place)
    install.lay_pages(place)
    env = install.environment(place, environment)
    place.remember(environment=str(env))
    place.remember(**install.certificate(place, certificate, key))
    for line in install.accounts(place, roster, settings.teachers):
        output.say(line)
    install.open_exchange(place, settings.teachers[0])
    output.say(f"Next: rlcourse hub start --root {place.root}", root=place.root)


@app.command(epilog=examples("hub start"))
def start(root: _Root = ROOT) -> None:
    """Run the hub until Ctrl-C. Servers that are running go on without it."""
    from rlcourse.hub import run

    raise typer.Exit(run.run(_place(root), output.say))


@app.command(epilog=examples("hub add --roster newcomers.csv", "hub add --teacher hopper"))
def add(
    roster: Annotated[Path | None, typer.Option(help="Further students as CSV.")] = None,
    teacher: Annotated[list[str] | None, typer.Option(help="Account of a further teacher.")] = None,
    root: _Root = ROOT,
    as_json: AsJson = False,
) -> None:
    """Add students or teachers. Who is there already keeps everything."""
    from rlcourse.hub import install

    place = _place(root)
    place.settings()
    settings = place.remember(teacher or ())
    for line in install.accounts(place, roster, settings.teachers):
        output.say(line)


@app.command(epilog=examples("hub status", "hub status --json"))
def status(root: _Root = ROOT, as_json: AsJson = False) -> None:
    """Say who is there, what runs, and what is left of memory and disk."""
    from rlcourse.hub.status import sentences
    from rlcourse.hub.status import status as at_present

    place = _place(root)
    now = at_present(place)
    output.say("\n".join(sentences(place, now)), **vars(now))


@app.command(epilog=examples("hub backup /backups/week-3.tar.gz"))
def backup(
    out: Annotated[Path, typer.Argument(help="The archive, readable by root alone.")],
    root: _Root = ROOT,
    as_json: AsJson = False,
) -> None:
    """Copy homes, exchange, gradebook and accounts into one archive. The hub may run."""
    from rlcourse.hub.backup import back_up

    size = back_up(_place(root), out.absolute())
    output.say(f"{out}: {size / 2**20:.1f} MiB", file=out, bytes=size)


@app.command(epilog=examples("hub restore /backups/week-3.tar.gz"))
def restore(
    archive: Annotated[Path, typer.Argument(help="What backup wrote.")],
    root: _Root = ROOT,
    as_json: AsJson = False,
) -> None:
    """Bring a backup into an empty folder: accounts, passwords, files. Then call init."""
    from rlcourse.hub.backup import restore as bring

    place = _place(root)
    made = bring(place, archive)
    output.say(f"{len(made)} accounts made: {', '.join(made) or 'none'}", accounts=made)
    output.say(f"Next: rlcourse hub init --root {place.root}")
