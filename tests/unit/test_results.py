"""Stored rows say what machine has made them."""

from rlcourse import results


def test_a_run_that_goes_on_elsewhere_keeps_the_machine_of_each_row(tmp_path, monkeypatch):
    here, there, third = ({"processor": name} for name in ("A", "B", "C"))
    monkeypatch.setattr(results, "machine", lambda: here)
    results.save_results("walk", "first", [{"seed": 1}], tmp_path)
    for machine, seed in ((there, 0), (third, 2), (third, 3)):
        monkeypatch.setattr(results, "machine", lambda machine=machine: machine)
        rows = results.load_results("walk", tmp_path)["rows"]
        results.save_results("walk", "again", [*rows, {"seed": seed}], tmp_path)
    stored = results.load_results("walk", tmp_path)
    assert stored["machine"] == third
    assert stored["rows"] == [
        {"machine": there, "seed": 0},
        {"machine": here, "seed": 1},
        {"seed": 2},
        {"seed": 3},
    ]
