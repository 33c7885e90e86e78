"""What JPDRMM's authors published of its 34 ablations on BioASQ 6B5 (dpappas/Joint_Document_Snippet_Ranking, logs).

Row: what is switched off, by the keys of the recipe, → best epoch; MAP of documents; F1 and MAP of snippets that v1
chooses, that v3 chooses, and of as many of v3's as there are gold sentences. Measures of edition 5, 100 questions.
"""

from __future__ import annotations

RECIPE = "retrieval-jpdrmm"
COLUMNS = (
    "best_epoch",
    "map_documents",
    "f1_snippets_v1",
    "map_snippets_v1",
    "f1_snippets_v3",
    "map_snippets_v3",
    "f1_snippets_known_v3",
    "map_snippets_known_v3",
)

Row = tuple[int, float, float, float, float, float, float, float]

ROWS: dict[str, Row] = {
    "all": (5, 0.1139, 0.1312, 0.1100, 0.1079, 0.0994, 0.2300, 0.1505),
    "without-last_layer": (8, 0.1417, 0.1321, 0.0936, 0.1452, 0.1270, 0.2561, 0.1701),
    "without-sentence_loss": (11, 0.1404, 0.0858, 0.0881, 0.0914, 0.0949, 0.1135, 0.0945),
    "without-sentence_loss-last_layer": (11, 0.1404, 0.0858, 0.0881, 0.0913, 0.0949, 0.1135, 0.0945),
    "without-contexts": (2, 0.1192, 0.1193, 0.1048, 0.1121, 0.0996, 0.2135, 0.1383),
    "without-contexts-last_layer": (11, 0.1356, 0.1114, 0.0871, 0.1285, 0.1171, 0.2514, 0.1629),
    "without-contexts-sentence_loss": (2, 0.1380, 0.1275, 0.1023, 0.0940, 0.1215, 0.2673, 0.1692),
    "without-words": (1, 0.1183, 0.1247, 0.1096, 0.1003, 0.0975, 0.2067, 0.1343),
    "without-words-last_layer": (10, 0.1408, 0.1243, 0.0961, 0.1429, 0.1263, 0.2479, 0.1641),
    "without-words-sentence_loss": (3, 0.1403, 0.1300, 0.1107, 0.0981, 0.1308, 0.2574, 0.1620),
    "without-words-contexts": (4, 0.1260, 0.1270, 0.1110, 0.1114, 0.1117, 0.2138, 0.1538),
    "without-one_hot": (2, 0.1207, 0.1224, 0.1028, 0.1121, 0.1031, 0.2162, 0.1401),
    "without-one_hot-last_layer": (8, 0.1424, 0.1326, 0.1060, 0.1538, 0.1304, 0.2599, 0.1738),
    "without-one_hot-sentence_loss": (3, 0.1425, 0.1308, 0.1008, 0.0925, 0.1226, 0.2602, 0.1643),
    "without-one_hot-contexts": (3, 0.1247, 0.1207, 0.0990, 0.1087, 0.1052, 0.2114, 0.1391),
    "without-one_hot-words": (2, 0.1234, 0.1272, 0.1049, 0.1117, 0.1124, 0.2235, 0.1429),
    "without-document_features": (2, 0.0166, 0.0308, 0.0282, 0.0318, 0.0268, 0.0439, 0.0299),
    "without-document_features-last_layer": (3, 0.1105, 0.1209, 0.0844, 0.1308, 0.1030, 0.2521, 0.1668),
    "without-document_features-sentence_loss": (3, 0.1094, 0.0129, 0.0106, 0.0335, 0.0187, 0.0292, 0.0297),
    "without-document_features-contexts": (1, 0.0178, 0.0308, 0.0200, 0.0320, 0.0200, 0.0546, 0.0332),
    "without-document_features-words": (2, 0.0221, 0.0326, 0.0273, 0.0326, 0.0274, 0.0607, 0.0426),
    "without-document_features-one_hot": (1, 0.0162, 0.0380, 0.0257, 0.0372, 0.0243, 0.0570, 0.0410),
    "without-sentence_features": (2, 0.1239, 0.1026, 0.0831, 0.0974, 0.1003, 0.1393, 0.1054),
    "without-sentence_features-last_layer": (6, 0.1401, 0.1229, 0.0962, 0.1392, 0.1298, 0.2448, 0.1830),
    "without-sentence_features-sentence_loss": (3, 0.1402, 0.0756, 0.0648, 0.0922, 0.1224, 0.2577, 0.1639),
    "without-sentence_features-contexts": (2, 0.1322, 0.1268, 0.1004, 0.1074, 0.1179, 0.2299, 0.1557),
    "without-sentence_features-words": (1, 0.1331, 0.1175, 0.0889, 0.1153, 0.1072, 0.2416, 0.1600),
    "without-sentence_features-one_hot": (2, 0.1202, 0.1064, 0.0877, 0.1000, 0.1019, 0.1518, 0.1138),
    "without-sentence_features-document_features": (
        8,
        0.0976,
        0.0980,
        0.0707,
        0.0948,
        0.0767,
        0.2090,
        0.1524,
    ),
    "without-sentence_features-document_features-last_layer": (
        6,
        0.0997,
        0.1069,
        0.0695,
        0.1159,
        0.0827,
        0.2266,
        0.1608,
    ),
    "without-sentence_features-document_features-sentence_loss": (
        7,
        0.1168,
        0.0612,
        0.0420,
        0.1183,
        0.1042,
        0.2258,
        0.1600,
    ),
    "without-sentence_features-document_features-contexts": (
        8,
        0.0359,
        0.0581,
        0.0463,
        0.0534,
        0.0416,
        0.0729,
        0.0556,
    ),
    "without-sentence_features-document_features-words": (
        1,
        0.0210,
        0.0106,
        0.0098,
        0.0108,
        0.0091,
        0.0225,
        0.0197,
    ),
    "without-sentence_features-document_features-one_hot": (
        5,
        0.0351,
        0.0551,
        0.0433,
        0.0532,
        0.0366,
        0.0822,
        0.0594,
    ),
}
