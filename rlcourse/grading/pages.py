"""The frame of the pages about a class: one file each, nothing loaded, no script, readable on a phone and on paper."""

import html
from collections.abc import Iterable, Sequence

# Colours that the colour-blind tell apart, each with words beside it.
_STYLE = """
:root { --ink: #1d2733; --soft: #566474; --line: #d5dce4; --paper: #fff; --ground: #f4f6f8;
        --good: #00694e; --bad: #b03a00; --wait: #6b4fa0; --good-ground: #e3f4ee; --bad-ground: #fdece3;
     --wait-ground: #f0ebf8; --bar: #2f72b0; }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", sans-serif; }
main { max-width: 52rem; margin: 0 auto; }
main.wide { max-width: 72rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.big { font-size: 2.1rem; font-weight: 650; line-height: 1.2; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem;
  margin: .7rem 0; }
.card.good { border-left: 6px solid var(--good); } .card.bad { border-left: 6px solid var(--bad); }
  .card.wait { border-left: 6px solid var(--wait); }
.head { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; justify-content: space-between; }
.badge { display: inline-block; padding: 0 .55rem; border-radius: 999px; font-size: .85rem; font-weight: 600;
  white-space: nowrap; }
.badge.good { background: var(--good-ground); color: var(--good); } .badge.bad { background: var(--bad-ground);
  color: var(--bad); }
.badge.wait { background: var(--wait-ground); color: var(--wait); }
.points { font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; margin: .5rem 0;
  overflow-x: auto;
      font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre.words { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
summary { cursor: pointer; color: var(--soft); margin-top: .4rem; }
blockquote { margin: .5rem 0 0; padding: .5rem .8rem; border-left: 4px solid var(--wait);
  background: var(--wait-ground); white-space: pre-wrap; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; display: block; margin: .5rem 0; border: 1px solid var(--line);
  border-radius: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--paper); font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; overflow-wrap: normal; } td.number, th.number { text-align: right;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 1rem 0; list-style: none; }
.figures li { flex: 1 1 8rem; background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
  padding: .6rem .9rem; }
.figures b { display: block; font-size: 1.5rem; }
svg { max-width: 100%; height: auto; } svg[role=img] { max-width: 44rem; display: block; }
td:first-child { min-width: 8rem; } td:first-child code { white-space: nowrap; }
a { color: #1b5e9b; }
@media (max-width: 32rem) { body { padding: 1rem .6rem 2rem; } .card { padding: .7rem .8rem; }
  th, td { padding: .35rem .4rem; } .big { font-size: 1.7rem; } }
@media print {
  body { background: #fff; padding: 0; font-size: 11pt; } .card, tr, img, svg { break-inside: avoid; }
     h2 { break-after: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; } .badge { border: 1px solid currentColor; }
  main, main.wide { max-width: none; }
}
"""
# Whatever got into a page by mistake could not run, load or send anything.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(title: str, body: Iterable[str], *, wide: bool = False) -> str:
    """A whole page; `title` is escaped here, the parts of the body are HTML already."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>{text(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main{' class=wide' if wide else ''}>\n"
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def text(words: object) -> str:
    """Words as they are, in HTML, in any place of it that is quoted or between tags."""
    return html.escape(str(words), quote=True)


def code_words(words: str) -> str:
    """A sentence of the course in HTML; `names` between back ticks as code."""
    parts = text(words).split("`")
    return "".join(
        f"<code>{part}</code>" if k % 2 and len(parts) % 2 else part for k, part in enumerate(parts)
    )


def number(value: float | None) -> str:
    """Points with at most one digit after the point; a dash for none."""
    return "–" if value is None else f"{round(value, 1):g}"


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    caption: str = "",
) -> str:
    """A table of HTML cells. numbers: columns that are set to the right."""

    def line(cells: Sequence[str], tag: str) -> str:
        """A row of cells, td or th."""
        marked = (
            f"<{tag}{' scope=col' if tag == 'th' else ''}{' class=number' if k in numbers else ''}>{cell}</{tag}>"
            for k, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    head = f"<caption>{text(caption)}</caption>" if caption else ""
    top = line(list(map(text, header)), "th")
    return f"<div class=scroll tabindex=0><table>{head}<thead>{top}</thead><tbody>{body}</tbody></table></div>"


def badge(words: object, kind: str) -> str:
    """A word in a coloured shape. kind: good, bad or wait."""
    return f'<span class="badge {kind}">{text(words)}</span>'
