"""The scores of a battle as a curve: SVG, from the dwarfs' view, dwarfs up."""

from __future__ import annotations

import math
from html import escape

from thudstone.analysis import Analysis

WIDTH, HEIGHT = 760, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 12, 26
_LEAST_RANGE = 8.0  # points: a quiet battle shall not look wild
_LIGHT = "#f7f1e3 #6b5a3a #c9b88f #2563a8 #c8553d"  # ground, text, lines, curve, turning points
_DARK = "#1d2026 #a9b1bd #454c58 #5aa2ec #f08a6c"


def graph_svg(analysis: Analysis, theme: str = "auto") -> str:
    """An `<svg>` element with the score after each ply in points. Each ply has a strip with `data-ply` and a title that
    says what happened; turning points are dots. A gap is a position whose search found no score.
    """
    scores = analysis.scores
    most = max([_LEAST_RANGE, *(abs(score) for score in scores if score is not None)])
    most = 2 * math.ceil(most / 2)  # so that its half is a whole number, too
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
        at = f'x="{_LEFT - 6}" y="{y(score) + 4:.1f}"'
        parts.append(f'<text class="g-text" {at} text-anchor="end">{score:+.0f}</text>'.replace("+0<", "0<"))
    every = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500) if n * step >= 34), 1000)
    parts += [
        f'<text class="g-text" x="{x(ply):.1f}" y="{HEIGHT - 8}" text-anchor="middle">{ply}</text>'
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
    parts.append(f'<path class="g-now" d="M0 0V{height}" transform="translate({_LEFT} {_TOP})"/>')
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


def _style(theme: str) -> str:
    if theme == "auto":
        return f"{_rules(theme, _LIGHT)}@media (prefers-color-scheme:dark){{{_rules(theme, _DARK)}}}"
    return _rules(theme, _DARK if theme == "dark" else _LIGHT)


def _rules(theme: str, colours: str) -> str:
    ground, text, lines, curve, turn = colours.split()
    rules = {
        "ground": f"fill:{ground}",
        "text": f"fill:{text};font:12px sans-serif",
        "grid": f"stroke:{lines};stroke-width:1",
        "curve": f"fill:none;stroke:{curve};stroke-width:2.5;stroke-linejoin:round",
        "turn": f"fill:{turn}",
        "now": f"stroke:{turn};stroke-width:1.5",
        "hit": "fill:transparent",
    }
    return "".join(f".graph-{theme} .g-{name}{{{rule}}}" for name, rule in rules.items())
