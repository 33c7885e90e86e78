"""Skills that a question requires of its reader (Sugawara et al. 2017; CliCR, section 4.1 and Appendix B).

The names are the papers', the meanings are in our words. A question may require several skills: 2.85 on average in
CliCR, where about 16 % require "none" because the passage does not answer them. Figure 4 shows the other shares as
bars without numbers, so no published ones stand beside ours.
"""

from __future__ import annotations

from anagnosis.datasets.label_file import LabelList

COLUMN = "skills"  # of a label file
NONE = "none"
PUBLISHED = {NONE: 0.16}  # "around 16%" (CliCR, section 4.1); the other shares are bars without numbers
PUBLISHED_MEAN = 2.85  # skills of a question (CliCR, section 4.1, 100 questions)
# In the order of Appendix B.
SKILLS: dict[str, str] = {
    "object tracking": "keep several things apart, such as the items of a list or the members of a group",
    "mathematical reasoning": "count, calculate or compare numbers",
    "coreference resolution": "see that two expressions mean the same thing, such as a pronoun and a name",
    "logical reasoning": "follow if, not, all or some, or a chain of such statements",
    "analogy": "understand a metaphor, or a word that stands for something related",
    "causal relation": "follow a cause or reason that the text states",
    "spatio-temporal relation": "follow where something is, or what happens when",
    "ellipsis": "supply what the text implies or leaves out",
    "bridging": "join two statements by what words mean: synonyms, kinds and parts, medical terms",
    "elaboration": "join two statements by everyday knowledge that no dictionary or terminology holds",
    "meta-knowledge": "use what you know of the kind of text, of its topic, or of how the questions are made",
    "schematic clause relation": "take apart a sentence with coordinated or subordinate clauses",
    "punctuation": "understand brackets, dashes, quotation marks or colons",
    NONE: "the passage does not answer the question",
}
SKILL_LIST = LabelList("skill", tuple(SKILLS), alone=NONE, published=PUBLISHED, published_mean=PUBLISHED_MEAN)
