"""Stored rows say what machine has made them."""

from rlcourse import results


def test_a_run_that_goes_on_elsewhere_keeps_the_machine_of_each_row(tmp_path, monkeypatch):
    here, there, third = ({"processor": name} for name in ("A", "B", "C"))
    monkeypatch.setattr(results, "machine", lambda: here)
    results.save_results("walk", "first", [{"seed": 1}], tmp_path)
    for machine, seeds in ((there, [0]), (third, [2, 3])):
        monkeypatch.setattr(results, "machine", lambda machine=machine: machine)
        rows = results.stored_rows("walk", tmp_path)
        for seed in seeds:  # each is stored as soon as it is there
            rows.append({"seed": seed})
            results.save_results("walk", "again", rows, tmp_path)
    stored = results.load_results("walk", tmp_path)
    assert stored["machine"] == third
    assert stored["rows"] == [
        {"machine": there, "seed": 0},
        {"machine": here, "seed": 1},
        {"seed": 2},
        {"seed": 3},
    ]


def test_a_first_run_goes_on_from_no_rows(tmp_path):
    assert results.stored_rows("walk", tmp_path) == []


def test_two_processors_under_one_name_are_told_apart():
    text = "processor\t: {}\ncpu family\t: 25\nmodel\t\t: {}\nmodel name\t: AMD EPYC\n\n"
    first, second = (text.format(0, model) + text.format(1, model) for model in (1, 17))
    assert results.processor_in(first) == "AMD EPYC (family 25, model 1)"
    assert results.processor_in(second) == "AMD EPYC (family 25, model 17)"
    assert results.processor_in("model name\t: Neoverse") == "Neoverse"
    assert results.processor_in("BogoMIPS\t: 50.00") == ""
