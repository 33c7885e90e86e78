"""A small file of each vocabulary format, with one term called by the same two names in all of them."""

from __future__ import annotations

IDENTIFIER, NAME, SYNONYM = "C0000001", "Myocardial infarction", "heart attack"

MRCONSO = (
    "C0000001|ENG|P|L1|PF|S1|Y|A1||||MTH|PN|X|Myocardial infarction|0|N||\n"
    "C0000001|ENG|S|L2|PF|S2|Y|A2||||MADEUP|ET|X|heart attack|0|N||\n"
    "C0000001|ENG|S|L2|VO|S3|Y|A3||||MADEUP|PM|X|Attack, heart|0|N||\n"
    "C0000001|GER|P|L3|PF|S4|Y|A4||||MADEUP|MH|X|Herzinfarkt|3|N||\n"
    "C0000001|ENG|S|L4|PF|S5|Y|A5||||MADEUP|AB|X|HA|3|O||\n"
)
MESH_XML = """<?xml version="1.0"?><!DOCTYPE DescriptorRecordSet><DescriptorRecordSet>
<DescriptorRecord DescriptorClass="1"><DescriptorUI>C0000001</DescriptorUI>
<DescriptorName><String>Myocardial infarction</String></DescriptorName>
<TreeNumberList><TreeNumber>C14.907</TreeNumber><TreeNumber>C23.550</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><TermList>
<Term IsPermutedTermYN="N"><String>heart attack</String></Term>
<Term IsPermutedTermYN="Y"><String>Attack, heart</String></Term></TermList></Concept>
<Concept PreferredConceptYN="N"><ConceptRelationList><ConceptRelation RelationName="NRW"/></ConceptRelationList>
<TermList><Term><String>Silent infarction</String></Term></TermList></Concept></ConceptList></DescriptorRecord>
</DescriptorRecordSet>"""

SAMPLES = {
    "obo": 'format-version: 1.2\n\n[Term]\nid: C0000001 {a="b"} ! comment\nname: Myocardial infarction\n'
    'synonym: "heart attack" EXACT [X:1]\nsynonym: "MI \\"short\\"" RELATED abbreviation []\n',
    "mesh-xml": MESH_XML,
    "umls": MRCONSO,
    "terms-tsv": "id\tname\tsynonyms\ttree_numbers\nC0000001\tMyocardial infarction\theart attack|HA\tC14.907\n",
}
