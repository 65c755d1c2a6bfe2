"""The report of an analysed game: one HTML file that needs no network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from thudstone.analysis import KINDS, Analysis, Ply
from thudstone.graph import graph_svg
from thudstone.picture import Arrow
from thudstone.position import DWARFS, TROLLS

_STYLE = """
:root{color-scheme:light dark;--ground:#fbf8f1;--text:#2c2517;--soft:#6b5a3a;--line:#ddd0b2;--bad:#b8412a;--mid:#9a6a00}
@media (prefers-color-scheme:dark){:root{--ground:#15171b;--text:#e4e6ea;--soft:#a9b1bd;
--line:#3a404a;--bad:#f08a6c;--mid:#e3b04b}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1060px;padding:16px;background:var(--ground);color:var(--text);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}
.soft{color:var(--soft)}svg{display:block;width:100%;height:auto}table{border-collapse:collapse;width:100%}
th,td{padding:3px 6px;text-align:right;border-bottom:1px solid var(--line)}th:first-child,td.l,th.l{text-align:left}
th,td{white-space:nowrap}
@media (max-width:480px){table{font-size:.85rem}th,td{padding:3px 4px}}
.view{display:grid;gap:16px}.turns{display:grid;gap:20px}.moves{max-height:520px;overflow:auto}
@media (min-width:760px){.view{grid-template-columns:1fr 1fr}.turns{grid-template-columns:1fr 1fr}}
.mistake,.blunder{color:var(--bad)}.inaccuracy{color:var(--mid)}tr[data-ply]{cursor:pointer}
tr.on{outline:2px solid var(--bad)}
nav{display:flex;gap:8px;align-items:center;margin:8px 0}button{font:inherit;padding:6px 14px}figure{margin:0}
.g-hit{cursor:pointer}.sr{margin:.4rem 0}
"""

_SCRIPT = """
for (const box of document.querySelectorAll('section.battle')) {
  const plies = JSON.parse(box.querySelector('script.plies').textContent);
  const board = box.querySelector('.viewer svg'), now = box.querySelector('.g-now');
  board.querySelectorAll('.dwarf,.troll,.eye,.last').forEach(e => e.remove());
  const under = document.createElementNS(board.namespaceURI, 'g'), over = under.cloneNode();
  board.insertBefore(under, board.querySelector('.edge')); board.append(over);
  const at = s => [40 + 32 * 'ABCDEFGHJKLMNOP'.indexOf(s[0]), 8 + 32 * s.slice(1)];
  let shown = 0;
  const show = ply => {
    shown = Math.max(0, Math.min(plies.length - 1, ply));
    const p = plies[shown];
    under.innerHTML = p.m.map(s => { const [x, y] = at(s);
      return `<rect class="last" x="${x - 16}" y="${y - 16}" width="32" height="32"/>`; }).join('');
    over.innerHTML = p.d.map(s => { const [x, y] = at(s);
      return `<circle class="dwarf" cx="${x}" cy="${y}" r="10"/>`; })
      .concat(p.t.map(s => { const [x, y] = at(s);
        return `<rect class="troll" x="${x - 13}" y="${y - 13}" width="26" height="26" rx="6"/>` +
          `<circle class="eye" cx="${x - 5}" cy="${y - 3}" r="2.2"/>` +
          `<circle class="eye" cx="${x + 5}" cy="${y - 3}" r="2.2"/>` +
          `<rect class="eye" x="${x - 6}" y="${y + 4}" width="12" height="2.4"/>`; })).join('');
    box.querySelector('.said').textContent = p.s;
    const strip = box.querySelector(`.g-hit[data-ply="${shown}"]`);
    now.removeAttribute('visibility');
    if (strip) now.setAttribute('transform', `translate(${strip.dataset.x} 12)`);
    const list = box.querySelector('.moves');
    list.querySelectorAll('tr.on').forEach(r => r.classList.remove('on'));
    const row = list.querySelector(`tr[data-ply="${shown}"]`);
    if (row) { row.classList.add('on'); list.scrollTop = row.offsetTop - list.clientHeight / 2; }
  };
  const steps = {ArrowLeft: () => shown - 1, ArrowRight: () => shown + 1, Home: () => 0, End: () => plies.length - 1};
  document.addEventListener('keydown', event => {
    // Of several battles the keys step through the one in the middle of the window.
    const {top, bottom} = box.getBoundingClientRect(), middle = innerHeight / 2;
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelectorAll('section.battle').length > 1 && (top > middle || bottom < middle)) return;
    event.preventDefault(); show(steps[event.key]());
  });
  box.addEventListener('click', event => {
    const step = event.target.closest('[data-step]'), ply = event.target.closest('[data-ply]');
    if (step) show(shown + Number(step.dataset.step)); else if (ply) show(Number(ply.dataset.ply));
  });
  show(plies.length - 1);
}
"""


def report_html(title: str, analyses: Sequence[Analysis]) -> str:
    """The page: of each battle its players, result, accuracy, the graph to click through it, the turning points and the
    moves. Texts of the record are escaped, control characters left out.
    """
    name = escape(_plain(title))
    sections = "".join(_battle(number, each, len(analyses)) for number, each in enumerate(analyses, start=1))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{name}</title><style>{_STYLE}</style></head><body><h1><bdi>{name}</bdi></h1>"
        '<p class="soft">Scores are points for the dwarfs: a dwarf counts 1, a troll 4.</p>'
        f"{sections}<script>{_SCRIPT}</script></body></html>\n"
    )


def _battle(number: int, analysis: Analysis, count: int) -> str:
    last = analysis.battle.position()
    dwarfs, trolls = last.points
    heading = f"<h2>Battle {number}</h2>" if count > 1 else ""
    part = "" if analysis.complete else f"<p>Analysed: {len(analysis.plies)} of {len(analysis.battle.moves)} plies.</p>"
    end = f", {escape(_plain(analysis.battle.end))}" if analysis.battle.end else ""
    return (
        f'<section class="battle">{heading}{_players(analysis)}<p>Left: dwarfs {dwarfs} points, '
        f'trolls {trolls} points; '
        f"margin {last.margin:+d} after {len(analysis.battle.moves)} plies{end}.</p>{part}{_accuracy(analysis)}"
        f'<h2>The game</h2>{graph_svg(analysis)}<div class="view"><div class="viewer">'
        '<nav><button data-step="-1" aria-label="back">◀</button><button data-step="1" aria-label="on">▶</button>'
        '<span class="soft">or the keys ← →, or click the graph or a ply</span></nav>'
        f'<p class="said sr"></p>{analysis.battle.position(0).svg()}</div>{_moves(analysis)}</div>'
        f"{_turning_points(analysis)}{_data(analysis)}</section>"
    )


def _players(analysis: Analysis) -> str:
    rows = [f"{escape(key.capitalize())}: <bdi>{escape(_plain(value))}</bdi>" for key, value in analysis.battle.headers]
    return f"<p>{'<br>'.join(rows)}</p>" if rows else ""


def _accuracy(analysis: Analysis) -> str:
    means = [analysis.accuracy(side) for side in (DWARFS, TROLLS)]
    rows = [("accuracy", *("-" if mean is None else f"{mean:.1f} %" for mean in means))]
    rows += [(kind, *(str(analysis.count(side, kind)) for side in (DWARFS, TROLLS))) for kind in KINDS]
    cells = "".join(f'<tr><td class="l">{name}</td><td>{one}</td><td>{two}</td></tr>' for name, one, two in rows)
    return f"<table><tr><th></th><th>Dwarfs</th><th>Trolls</th></tr>{cells}</table>"


def _moves(analysis: Analysis) -> str:
    rows = "".join(
        f'<tr data-ply="{ply.number}"><td>{ply.number}</td><td class="l">{ply.move}</td>'
        f'<td>{_points(ply.after.score)}</td><td class="l {ply.kind}">{ply.kind}</td></tr>'
        for ply in analysis.plies
    )
    head = '<tr><th>ply</th><th class="l">move</th><th>points</th><th class="l">class</th></tr>'
    return f'<div class="moves" style="position:relative"><table>{head}{rows}</table></div>'


def _turning_points(analysis: Analysis) -> str:
    figures = "".join(_figure(analysis, ply) for ply in analysis.turning_points())
    if not figures:
        return "<h2>Turning points</h2><p>No ply lost 2 points or more.</p>"
    return (
        '<h2>Turning points</h2><p class="soft">Red is the move played, green the better one.</p>'
        f'<div class="turns">{figures}</div>'
    )


def _figure(analysis: Analysis, ply: Ply) -> str:
    arrows: list[Arrow] = [(ply.move.from_square, ply.move.to_square, "played")]
    if ply.before.best is not None:
        start, target = ply.before.best.lstrip("dT").split("x")[0].split("-")
        arrows.append((start, target, "better"))
    board = analysis.battle.position(ply.number - 1).svg(arrows=arrows, squares=ply.move.captured)
    return f"<figure><figcaption>Ply {ply.number}. {escape(ply.sentence)}</figcaption>{board}</figure>"


def _data(analysis: Analysis) -> str:
    plies = []
    for number, position in enumerate(analysis.battle.positions()):
        if number > len(analysis.plies):
            break
        ply = analysis.plies[number - 1] if number else None
        moved = [] if ply is None else [ply.move.from_square, ply.move.to_square, *ply.move.captured]
        said = "The start." if ply is None else f"Ply {number}. {ply.sentence}"
        plies.append({"d": position.dwarfs, "t": position.trolls, "m": moved, "s": said})
    text = json.dumps(plies, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" class="plies">{text}</script>'


def _points(score: float | None) -> str:
    return "?" if score is None else f"{score:+.2f}"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
