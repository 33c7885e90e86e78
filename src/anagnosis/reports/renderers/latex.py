"""A report as LaTeX with booktabs: a document that compiles, its tables ready to be copied into a paper.

Every text is escaped; Greek letters and the signs below become commands, so that pdfLaTeX prints them too. A
plot is shown as the table it is drawn from.
"""

from __future__ import annotations

from anagnosis.reports.renderers.numbers import best_cells, table_texts
from anagnosis.reports.report import Block, Heading, Item, Listing, Plot, Report, Run, Table, Text

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
_SECTIONS = {2: "section", 3: "subsection"}


def render(report: Report) -> str:
    """A whole document."""
    parts = [PREAMBLE, rf"\title{{{escape(report.title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    parts += [_block(block) for block in report.printed]
    return "\n\n".join([*parts, r"\end{document}"]) + "\n"


def escape(text: str) -> str:
    """A text on one line that LaTeX prints as it is."""
    return " ".join(text.split()).translate(_TABLE)


def _block(block: Block) -> str:
    match block:
        case Heading():
            return rf"\{_SECTIONS.get(block.level, 'subsubsection')}*{{{escape(block.text)}}}"
        case Text():
            return {"plain": "", "note": r"\small ", "warning": r"\textbf{Warning.} "}[block.tone] + escape(
                block.text
            )
        case Table():
            return _table(block)
        case Plot():
            return (
                rf"\textbf{{{escape(block.title)}.}} {escape(block.description)}"
                + "\n\n"
                + _table(block.data)
            )
        case Listing():
            return _listing(block)


def _table(table: Table) -> str:
    best = best_cells(table)
    alignment = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    lines = [r"\begin{table}[H]", r"\centering", rf"\caption{{{escape(table.caption)}}}"]
    lines += [rf"\fit{{\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines += [" & ".join(escape(column.name) for column in table.columns) + r" \\", r"\midrule"]
    for number, texts in enumerate(table_texts(table)):
        if number in table.zones:
            lines.append(r"\midrule")
        cells = (
            rf"\textbf{{{escape(t)}}}" if (number, place) in best else escape(t)
            for place, t in enumerate(texts)
        )
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}}"]
    lines += [rf"\par\smallskip{{\footnotesize {escape(note)}\par}}" for note in table.notes]
    lines += [
        rf"\par\smallskip{{\scriptsize\ttfamily {_breakable(signature)}\par}}"
        for signature in table.signatures
    ]
    return "\n".join([*lines, r"\end{table}"])


def _listing(listing: Listing) -> str:
    if not listing.items:
        return rf"\textbf{{{escape(listing.caption)}}}"
    lines = [rf"\textbf{{{escape(listing.caption)}}}"] if listing.caption else []
    return "\n".join(
        [*lines, r"\begin{description}", *(_item(item) for item in listing.items), r"\end{description}"]
    )


def _item(item: Item) -> str:
    return rf"\item[{{{escape(item.label)}}}] " + "".join(_run(run) for run in item.runs)


def _run(run: Run) -> str:
    inner = run.text.strip()
    if not inner:
        return " " if run.text else ""
    before, after = (" " if edge.isspace() else "" for edge in (run.text[0], run.text[-1]))
    shown = escape(inner)
    if run.strong:
        shown = rf"\textbf{{{shown}}}"
    elif run.entity is not None:
        shown = rf"\underline{{{shown}}}"
    label = rf"~\textsubscript{{{escape(run.label)}}}" if run.label else ""
    return before + shown + label + after


def _breakable(signature: str) -> str:
    """A signature may break after each of its bars."""
    return escape(signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
