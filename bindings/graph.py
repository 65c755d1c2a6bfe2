"""The scores of a battle as a curve, from the dwarfs' view, dwarfs up: SVG, and plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from thudstone.analysis import Analysis
from thudstone.picture import strokes
from thudstone.picture import width as lettering

WIDTH, HEIGHT = 760, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 12, 30
_LEAST_RANGE = 8.0  # points: a quiet battle shall not look wild
_ROWS = 5  # of text, above the middle and below
_LIGHT = "#f7f1e3 #6b5a3a #c9b88f #2563a8 #c8553d"  # ground, text, lines, curve, turning points
_DARK = "#1d2026 #a9b1bd #454c58 #5aa2ec #f08a6c"


def graph_svg(analysis: Analysis, theme: str = "auto") -> str:
    """An `<svg>` element with the score after each ply in points. Each ply has a strip with `data-ply` and a title that
    says what happened; turning points are dots. A gap is a position whose search found no score.
    """
    scores = analysis.scores
    most = _range(scores)
    step = (WIDTH - _LEFT - _RIGHT) / max(len(analysis.battle.moves), 1)
    height = HEIGHT - _TOP - _BOTTOM

    def x(ply: int) -> float:
        return _LEFT + step * ply

    def y(score: float) -> float:
        return _TOP + height * (most - score) / (2 * most)

    parts = [f'<rect class="g-ground" width="{WIDTH}" height="{HEIGHT}" rx="8"/>']
    for score in (-most, -most / 2, 0.0, most / 2, most):
        weight = ' style="stroke-width:2"' if score == 0 else ""
        parts.append(f'<path class="g-grid"{weight} d="M{_LEFT} {y(score):.1f}H{WIDTH - _RIGHT}"/>')
        text = f"{score:+.0f}" if score else "0"
        parts.append(f'<path class="g-text g-side" d="{strokes(text, _LEFT - 8 - lettering(text), y(score))}"/>')
    every = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500) if n * step >= 46), 1000)
    parts += [
        f'<path class="g-text" d="{strokes(str(ply), x(ply) - lettering(str(ply)) / 2, HEIGHT - 14)}"/>'
        for ply in range(0, len(analysis.battle.moves) + 1, every)
    ]
    pen, path = "M", ""
    for ply, after in enumerate(scores):
        if after is None:
            pen = "M"
            continue
        path += f"{pen}{x(ply):.1f} {y(after):.1f}"
        pen = "L"
    parts.append(f'<path class="g-curve" d="{path}"/>')
    parts += [
        f'<circle class="g-turn" cx="{x(turn.number):.1f}" cy="{y(turn.after.score):.1f}" r="5"/>'
        for turn in analysis.turning_points()
        if turn.after.score is not None
    ]
    parts.append(f'<path class="g-now" visibility="hidden" d="M0 0V{height}" transform="translate({_LEFT} {_TOP})"/>')
    for ply, after in enumerate(scores):
        what = analysis.plies[ply - 1] if ply else None
        shown = "?" if after is None else f"{after:+.2f}"
        title = f"start: {shown}" if what is None else f"{ply}. {what.move} ({what.kind}): {shown}"
        parts.append(
            f'<rect class="g-hit" data-ply="{ply}" data-x="{x(ply):.1f}" x="{x(ply) - step / 2:.1f}" y="{_TOP}" '
            f'width="{step:.1f}" height="{height}"><title>{escape(title)}</title></rect>'
        )
    kind = f"thud-graph graph-{theme}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="{kind}" role="img">'
        f"<title>Score in points for the dwarfs, by ply</title><style>{_style(theme)}</style>{''.join(parts)}</svg>"
    )


def graph_text(analysis: Analysis, width: int = 80) -> str:
    """Bars from the middle up (the dwarfs are ahead) and down, in ASCII: a column a ply, or where `width` is too small
    for that the ply of several whose score is farthest from 0. Below, `^` marks turning points, and plies are counted.
    """
    scores = analysis.scores
    most = _range(scores)
    columns = max(1, min(len(scores), width - 7))
    column = [ply * columns // len(scores) for ply in range(len(scores))]
    bars = [0.0] * columns
    for at, score in zip(column, scores, strict=True):
        if score is not None and abs(score) > abs(bars[at]):
            bars[at] = score
    halves = [round(2 * _ROWS * bar / most) for bar in bars]  # how many half rows each bar is long
    top, bottom = max(2, *halves), min(-2, *halves)
    lines = []
    for row in range((top + 1) // 2, bottom // 2 - 1, -1):
        cells = "".join(_cell(half, row) for half in halves)
        label = "0" if row == 0 else f"{most * row / _ROWS:+.1f}"
        lines.append(f"{label:>5} |{cells}".rstrip())
    turns = {column[ply.number] for ply in analysis.turning_points()}
    if turns:
        lines.append(" " * 7 + "".join("^" if at in turns else " " for at in range(columns)).rstrip())
    last = str(len(scores) - 1)
    lines.append(" " * 7 + "0" + (last.rjust(columns - 1) if columns > len(last) else ""))
    return "\n".join(lines)


def _cell(half: int, row: int) -> str:
    """What a bar of so many half rows shows in a row."""
    if row == 0:
        return "-"
    length, reach = (half, 2 * row) if row > 0 else (-half, -2 * row)
    if length >= reach:
        return "#"
    return " " if length < reach - 1 else "." if row > 0 else "'"


def _range(scores: Sequence[float | None]) -> int:
    """The points that the curve's upper end stands for, an even number so that its half is a whole one."""
    most = max([_LEAST_RANGE, *(abs(score) for score in scores if score is not None)])
    return 2 * math.ceil(most / 2)


def _style(theme: str) -> str:
    return f"{_colours(theme)}@media (max-width:480px){{.graph-{theme} .g-text{{transform:scale(1.8)}}}}"


def _colours(theme: str) -> str:
    if theme == "auto":
        return f"{_rules(theme, _LIGHT)}@media (prefers-color-scheme:dark){{{_rules(theme, _DARK)}}}"
    return _rules(theme, _DARK if theme == "dark" else _LIGHT)


def _rules(theme: str, colours: str) -> str:
    ground, text, lines, curve, turn = colours.split()
    rules = {
        "ground": f"fill:{ground}",
        "text": f"fill:none;stroke:{text};stroke-width:1.3;transform-box:fill-box;transform-origin:center",
        "side": "transform-origin:right",
        "grid": f"stroke:{lines};stroke-width:1",
        "curve": f"fill:none;stroke:{curve};stroke-width:2.5;stroke-linejoin:round",
        "turn": f"fill:{turn}",
        "now": f"stroke:{turn};stroke-width:1.5",
        "hit": "fill:transparent",
    }
    return "".join(f".graph-{theme} .g-{name}{{{rule}}}" for name, rule in rules.items())
