"""What a student is told of each outcome: words of the course, and of an error its kind and where
their function begins.

Hidden inputs never get here: what the handed-in code says while it is called is kept apart
(`Result.private`).
"""

from rlcourse.checks.task import Outcome, Result, Task


def sentence_on(task: Task, result: Result) -> str:
    """One to three sentences for the student."""
    message = _sentence(result.message)
    match result.outcome:
        case Outcome.RIGHT:
            return "Right in all hidden cases."
        case Outcome.BLANK:
            return "Not started: `raise NotImplementedError()` is still in the function."
        case Outcome.RAISED:
            question = "Which arguments could do that: their size, their signs, a corner?"
            if message.startswith("NameError"):
                question = "Is each name that it uses bound further up when all cells run in order?"
            return f"In a hidden case: {message} {question}"
        case Outcome.TIMED_OUT:
            return f"{message} Is there a loop that never ends, or work that grows too fast?"
        case Outcome.MISSING if message.endswith("in the hand-in."):  # nothing says why
            return f"{message} Was its cell deleted, or `{task.function}` given another name?"
        case Outcome.CRASHED:
            return f"{message} Calls such as exit() do that."
        case Outcome.OUT_OF_MEMORY:
            return f"{message} Print shapes: which array is larger than you meant?"
        case Outcome.UNSETTLED:
            return f"{message} So your instructor looks at it; the points are not settled yet."
    return message or _sentence(task.words(result.mistake))


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) or not text else text + "."
