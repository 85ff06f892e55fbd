"""`python -m rlcourse` and the program `rlcourse`: Ctrl-C is heard before anything is imported that
takes time."""

import os


def main() -> None:
    """Run the command line, which ends this process with its exit code."""
    try:
        from rlcourse.cli_stop import ctrl_c

        ctrl_c.leave_by(_command_line)
    except KeyboardInterrupt:  # in the hundredths of a second before `ctrl_c` listens
        os.write(2, b"\nrlcourse: stopped by Ctrl-C.\n")
        raise SystemExit(130) from None


def _command_line() -> None:
    from rlcourse.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
