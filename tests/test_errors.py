import pytest

from privstamp import errors
from privstamp.errors import InputError, PrivstampError, StageFailed, guarded, suggest

SECRET = "Raghunathan"


def test_every_error_is_in_the_tree_drawn_in_the_docstring():
    tree = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    ]
    assert all(issubclass(value, PrivstampError) for value in tree)
    assert all(value.__name__ in (errors.__doc__ or "") for value in tree)


def test_a_failed_stage_carries_nothing_of_the_input():
    def step(text: str) -> None:
        text.encode("ascii")

    with pytest.raises(StageFailed) as caught:
        guarded("splitting", step, SECRET + "\u00e9")
    error = caught.value
    assert error.__context__ is None and error.__cause__ is None
    assert SECRET not in str(error) and "splitting" in str(error)
    assert "nothing was released" in str(error)


def test_our_own_errors_pass_through_a_guard():
    def step() -> None:
        raise InputError("as it is")

    with pytest.raises(InputError, match="as it is"):
        guarded("input", step)


def test_keyboard_interrupt_is_not_swallowed():
    def step() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guarded("input", step)


def test_suggestions_name_the_nearest_and_all():
    assert suggest("exponental", ["polar", "exponential"]) == (
        ' Did you mean "exponential"? Known: exponential, polar'
    )
    assert "Did you mean" not in suggest("zzz", ["polar"])
