"""A report as LaTeX with booktabs: a document that compiles, its tables ready to be copied into a paper.

Every text is escaped; Greek letters and the signs below become commands, so that pdfLaTeX prints them too. A
plot is shown as the table it is drawn from.
"""

from __future__ import annotations

from anagnosis.reports.renderers.numbers import grid
from anagnosis.reports.report import Block, Heading, Listing, Plot, Report, Run, Table, Text

PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi
\usepackage[margin=2.2cm]{geometry}
\usepackage{booktabs,float,graphicx}
\newcommand{\fit}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{#1}}
\setlength{\parindent}{0pt}\setlength{\parskip}{.6em}"""

# What LaTeX reads as a command, and what pdfLaTeX has no letter for.
SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "≠": r"\ensuremath{\neq}",
    "→": r"\ensuremath{\rightarrow}",
    "…": r"\ldots{}",
    "✓": r"\ensuremath{\surd}",
    "✗": r"\ensuremath{\times}",
    "\u202f": r"\,",
    "\u00a0": "~",
}

# Letters that differ from their Latin likeness; in print the others (Α, Β, ο, …) are Latin letters.
# fmt: off
GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi",
    "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "µ": "mu",
}
# fmt: on
_TABLE = str.maketrans(SIGNS | {letter: rf"\ensuremath{{\{name}}}" for letter, name in GREEK.items()})
_TONES = {"plain": "", "note": r"\small ", "warning": r"\textbf{Warning.} "}


def render(report: Report) -> str:
    """A whole document."""
    parts = [PREAMBLE, rf"\title{{{escape(report.title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    return "\n\n".join([*parts, *map(_block, report.printed), r"\end{document}"]) + "\n"


def escape(text: str) -> str:
    """A text on one line that LaTeX prints as it is."""
    return " ".join(text.split()).translate(_TABLE)


def _bold(text: str) -> str:
    return rf"\textbf{{{text}}}"


def _block(block: Block) -> str:
    match block:
        case Heading():
            return rf"\section*{{{escape(block.text)}}}"
        case Text():
            return _TONES[block.tone] + escape(block.text)
        case Table():
            return _table(block)
        case Plot():
            title = _bold(f"{escape(block.title)}.")
            return f"{title} {escape(block.description)}\n\n{_table(block.data)}"
        case Listing():
            lines = [_bold(escape(block.caption))] if block.caption else []
            items = [
                rf"\item[{{{escape(item.label)}}}] {''.join(map(_run, item.runs))}" for item in block.items
            ]
            within = [r"\begin{description}", *items, r"\end{description}"] if items else []
            return "\n".join([*lines, *within])


def _table(table: Table) -> str:
    columns, rows, best = grid(table)
    alignment = "".join("l" if column.kind == "text" else "r" for column in columns)
    lines = [r"\begin{table}[H]", r"\centering", rf"\caption{{{escape(table.caption)}}}"]
    lines += [rf"\fit{{\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines += [" & ".join(escape(column.name) for column in columns) + r" \\", r"\midrule"]
    for number, row in enumerate(rows):
        lines += [r"\midrule"] if number in table.zones else []
        cells = map(escape, row)
        shown = (_bold(text) if (number, place) in best else text for place, text in enumerate(cells))
        lines.append(" & ".join(shown) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}}"]
    lines += [rf"\par\smallskip{{\footnotesize {escape(note)}\par}}" for note in table.notes]
    for signature in table.signatures:  # which may break after each of its bars
        breakable = escape(signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
        lines.append(rf"\par\smallskip{{\scriptsize\ttfamily {breakable}\par}}")
    return "\n".join([*lines, r"\end{table}"])


def _run(run: Run) -> str:
    before, text, after = run.parts
    shown = escape(text)
    if shown and run.strong:
        shown = _bold(shown)
    elif shown and run.entity is not None:
        shown = rf"\underline{{{shown}}}"
    label = rf"~\textsubscript{{{escape(run.label)}}}" if run.label else ""
    return before + shown + label + after
