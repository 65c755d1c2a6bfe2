"""The outcomes for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from thudstone.protocol.check.step import Outcome, Verdict
from thudstone.protocol.refusal import plain

_MARKS = {Verdict.PASSED: "passed", Verdict.FAILED: "FAILED", Verdict.NOT_OFFERED: "-"}
_SHOWN = 12  # lines of an exchange


def lines(outcome: Outcome) -> list[str]:
    """A line for a step, and below it the end of the exchange where it failed."""
    head = f"{_MARKS[outcome.verdict]:6}  {outcome.step.name:16}  {outcome.step.rule}"
    match outcome.verdict:
        case Verdict.PASSED:
            return [head]
        case Verdict.NOT_OFFERED:
            return [f"{head} (not offered: {plain(outcome.reason)})"]
    shown = [f"          {line}" for line in outcome.exchange[-_SHOWN:]]
    if len(outcome.exchange) > _SHOWN:
        shown.insert(0, "          ...")
    return [head, f"        {plain(outcome.reason)}", *shown]


def summary(name: str, outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.verdict for outcome in outcomes)
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in Verdict]
    return f"{plain(name) or 'the engine'}: {len(outcomes)} steps, {', '.join(parts)}"


def as_json(command: str, name: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    counts = Counter(outcome.verdict for outcome in outcomes)
    return {
        "command": command,
        "engine": name,
        **{verdict.value.replace(" ", "_"): counts[verdict] for verdict in Verdict},
        "steps": [
            {
                "name": outcome.step.name,
                "rule": outcome.step.rule,
                "outcome": outcome.verdict.value,
                "reason": outcome.reason,
                "exchange": list(outcome.exchange),
            }
            for outcome in outcomes
        ],
    }
