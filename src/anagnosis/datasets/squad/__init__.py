"""Files in SQuAD's form: questions with passages and the texts that answer them."""

from anagnosis.datasets.definition import DatasetDefinition

DEFINITION = DatasetDefinition(
    title="Questions in SQuAD's form",
    what="Questions with passages and the texts in them that answer, of SQuAD and of files in its form.",
    citation="The form: Rajpurkar, P., Zhang, J., Lopyrev, K., Liang, P. (2016). SQuAD: 100,000+ Questions for Machine "
    "Comprehension of Text. EMNLP 2016; Rajpurkar, P., Jia, R., Liang, P. (2018). Know What You Don't Know: "
    "Unanswerable Questions for SQuAD. ACL 2018. Cite the questions' authors too.",
    about=(
        "Questions of files in SQuAD's form with the passages that they were asked of (`snippets`), and the texts",
        "that answer. Where `exact` is empty, the passages do not answer; where it is null, the answer is withheld.",
    ),
    tags="[question-answering, snippets]",
)
