"""The verb of a title, where the tags are given."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.datasets.pubmedqa import finding_verbs


def tagged(text: str) -> tuple[list[str], list[str]]:
    pairs = [piece.rpartition("/") for piece in text.split()]
    return [word.lower() for word, _, _ in pairs], [tag for _, _, tag in pairs]


@each_row(
    ("text", "found"),
    [
        ("zorapine/NN reduces/VBZ fever/NN", 1),
        ("patients/NNS who/WP snore/VBP have/VBP more/JJR colds/NNS", 3),
        ("patients/NNS who/WP underwent/VBD surgery/NN have/VBP more/JJR colds/NNS", 4),
        ("a/DT drug/NN that/WDT can/MD cool/VB reduces/VBZ fever/NN", 5),
        ("the/DT dose/NN (/( which/WDT is/VBZ low/JJ )/) reduces/VBZ fever/NN", 7),
        ("trends/NNS and/CC correlates/VBZ of/IN gout/NN", "no_verb"),
        ("gout/NN results/VBZ in/IN adults/NNS", "no_verb"),
        ("gout/NN results/VBZ in/IN longer/JJR stays/NNS", 1),
        ("gout/NN results/VBZ in/IN increasing/VBG costs/NNS", 1),
        ("gout/NN results/VBZ in/IN reduced/VBN sleep/NN", 1),
        ("gout/NN results/VBZ in/IN reduced/VBN sleep/NN of/IN adults/NNS", 1),
        ("gout/NN results/VBZ in/IN a/DT loss/NN", 1),
        ("gout/NN results/VBZ in/IN costs/NNS", "no_verb"),
        ("gout/NN results/VBZ in/IN", "no_verb"),
        ("severe/JJ results/VBZ in/IN a/DT loss/NN", "no_verb"),
        ("the/DT ''/'' improves/VBZ sleep/NN", "no_verb"),
        ("tea/NN ''/'' improves/VBZ sleep/NN", 2),
        ("patients/NNS who/WP has/VBZ gout/NN have/VBP more/JJR colds/NNS", 4),
        ("tea/NN and/CC salt/NN increase/VBP the/DT pulse/NN", 3),
        ("the/DT dose/NN [/( which/WDT is/VBZ low/JJ ]/) reduces/VBZ fever/NN", 7),
        ("the/DT dose/NN )/) reduces/VBZ fever/NN", 3),
        ("tea/NN benefits/VBZ the/DT ill/JJ", 1),
        ("tea/NN benefits/VBZ patients/NN", "no_verb"),
        ("tea/NN increases/VBZ sleep/NN", 1),
        ("primary/JJ care/VBP in/IN gout/NN", "no_verb"),
        ("t/NN cells/NNS control/VBP fever/NN", 2),
        ("zorapine/NN may/MD reduce/VB fever/NN", "modal"),
        ("mice/NNS without/IN teeth/NNS survive/VBP", 3),
        ("tea/NN supports/VBZ", "no_verb"),
        ("", "no_verb"),
    ],
)
def test_the_verb_of_the_first_clause_is_found(text: str, found: int | str) -> None:
    assert finding_verbs.find(*tagged(text)) == found


@each_row(
    ("text", "verb", "right"),
    [
        ("tea/NN helps/VBZ", 1, True),
        ("teas/NNS help/VBP", 1, True),
        ("teas/NNS helps/VBZ", 1, False),
        ("tea/NN help/VBP", 1, False),
        ("tea/NN and/CC rest/NN help/VBP", 3, True),
        ("effects/NNS of/IN tea/NN is/VBZ", 3, False),
        ("effect/NN of/IN teas/NNS is/VBZ", 3, True),
        ("genetics/NNS is/VBZ", 1, True),
        ("drinking/VBG teas/NNS is/VBZ", 2, True),
        ("teas/NNS (/( one/CD cup/NN )/) help/VBP", 5, True),
        ("rapidly/RB help/VBP", 1, False),
    ],
)
def test_the_number_of_the_subject_must_be_the_verbs(text: str, verb: int, right: bool) -> None:
    assert finding_verbs.agrees(*tagged(text), verb) == right


@each_row(
    ("text", "verb", "joined"),
    [
        ("tea/NN cools/VBZ and/CC improves/VBZ sleep/NN", 1, (3,)),
        ("tea/NN reduces/VBZ fever/NN ,/, improves/VBZ sleep/NN ,/, and/CC prolongs/VBZ life/NN", 1, (4, 8)),
        ("tea/NN shows/VBZ that/IN rest/NN is/VBZ good/JJ", 1, ()),
        ("tea/NN helps/VBZ people/NNS who/WP are/VBP ill/JJ", 1, ()),
        ("tea/NN helps/VBZ people/NNS who/WP are/VBP ill/JJ rest/NN heals/VBZ", 1, None),
        ("tea/NN helps/VBZ and/CC is/VBZ cheap/JJ", 1, None),
        ("tea/NN is/VBZ cheap/JJ and/CC reduces/VBZ fever/NN", 1, None),
        ("tea/NN helps/VBZ but/CC may/MD harm/VB", 1, None),
        ("tea/NN helps/VBZ but/CC does/VBZ not/RB heal/VB", 1, None),
        ("tea/NN helps/VBZ adults/NNS rest/NN heals/VBZ", 1, None),
    ],
)
def test_verbs_beside_the_first(text: str, verb: int, joined: tuple[int, ...] | None) -> None:
    assert finding_verbs.joined(*tagged(text), verb) == joined


@each_row(
    ("text", "moves"),
    [
        ("is/VBZ safe/JJ", True),
        ("has/VBZ been/VBN shown/VBN", True),
        ("has/VBZ not/RB improved/VBN", True),
        ("have/VBP reduced/VBN strength/NN", False),
        ("has/VBZ no/DT effect/NN", False),
        ("does/VBZ not/RB help/VB", True),
        ("do/VBP well/RB", False),
        ("helps/VBZ people/NNS", False),
    ],
)
def test_which_forms_move_to_the_front_themselves(text: str, moves: bool) -> None:
    assert finding_verbs.is_auxiliary(*tagged(text), 0) == moves
