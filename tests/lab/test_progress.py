"""A bar where a person looks, silence elsewhere."""

import io

from rich.console import Console

from privstamp.lab.progress import bar, silent, within


def shown(total, *steps, transient=False, terminal=True):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, color_system=None)
    with bar("opening", total, transient=transient, console=console) as progress:
        for label, done in steps:
            progress(label, done)
    return out.getvalue()


def test_the_bar_says_what_is_done_and_how_much():
    last = shown(84, ("polar [x]", 21), ("clusters", 84))
    assert "clusters" in last and "84/84" in last


def test_a_share_is_not_counted():
    assert "/" not in shown(1.0, ("halfway", 0.5)).replace("0:00:00", "")


def test_labels_are_no_markup():
    assert "[bold]x" in shown(1.0, ("[bold]x", 0.5))


def test_nothing_is_shown_where_nobody_looks():
    assert shown(10, ("anything", 3), terminal=False).strip() == ""


def test_a_step_moves_its_part_of_the_whole():
    seen = []
    step = within(lambda label, done: seen.append((label, done)), 0.5, 0.75)
    step("a", 0.0)
    within(step, 0.5, 1.0)("b", 1.0)
    assert seen == [("a", 0.5), ("b", 0.75)]
    silent("nobody", 1.0)


def test_a_transient_bar_takes_back_what_it_drew():
    kept, gone = (shown(1.0, ("half", 0.5), transient=one) for one in (False, True))
    up_and_erased = "\x1b[1A\x1b[2K"  # how often a bar is drawn before is the clock's matter
    assert gone.endswith(up_and_erased) and up_and_erased not in kept


def test_steps_of_a_whole_follow_each_other_without_a_gap():
    seen = []
    for number in range(4):
        step = within(lambda _label, done: seen.append(done), number / 4, (number + 1) / 4)
        step("begins", 0.0)
        step("ends", 1.0)
    assert seen == sorted(seen) and seen[0] == 0.0 and seen[-1] == 1.0
    assert seen[1::2][:-1] == seen[2::2]
