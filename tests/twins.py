"""Tests that read the real data beside the checkout, and what stands for each of them where there is none.

TWINS: test → the test of the same fact on text of our own. ALONE: test → why it can have no twin. A test is named by
its file under tests/ and its function; tests/test_twins.py holds both tables to the tests that there are.
"""

from __future__ import annotations

TWINS = {
    "acceptance/test_commands_pubmedqa.py::test_the_paper_s_row_of_people_is_recomputed": (
        "acceptance/test_commands_pubmedqa.py::"
        "test_the_row_of_people_is_that_of_their_labels_and_the_final_ones"
    ),
    "leaderboard/test_real_systems.py::test_four_systems_on_pubmedqa_have_their_published_figures": (
        "leaderboard/test_real_systems.py::test_systems_of_ours_have_the_figures_of_score_and_share_ranks"
    ),
    "labelling/test_answers.py::test_the_authors_files_of_tiny_are_shown_as_people_saw_them": (
        "labelling/test_answers.py::test_imported_files_of_ours_are_shown_as_people_saw_them"
    ),
    "test_board_figures.py::test_a_page_s_figures_with_their_intervals_are_the_board_s": (
        "test_board_figures.py::test_a_page_and_the_submissions_are_of_the_same_questions"
    ),
    "test_board_figures.py::test_macro_f1_over_ten_folds_is_the_board_s": (
        "test_board_figures.py::test_a_page_and_the_submissions_are_of_the_same_questions"
    ),
    "test_board_figures.py::test_people_s_figures_are_the_board_s": (
        "test_board_figures.py::test_a_page_and_the_submissions_are_of_the_same_questions"
    ),
    "test_board_figures.py::test_crafts_baselines_are_the_board_s": (
        "test_board_figures.py::test_a_page_and_the_submissions_are_of_the_same_questions"
    ),
    "test_board_figures.py::test_the_right_answers_on_published_instances_are_the_board_s": (
        "test_board_figures.py::test_a_page_and_the_submissions_are_of_the_same_questions"
    ),
    "test_board_entries.py::test_predictions_were_made_for_the_public_sets_that_are_built_today": (
        "test_board_entries.py::test_predictions_were_made_for_the_bundled_sets_that_are_built_today"
    ),
    "language/test_fuzzy.py::test_the_pairs_of_the_package": "language/test_fuzzy.py::test_w_ratio",
    "searching/fit/test_stance_fitting.py::test_the_figures_on_pubmedqa_are_those_written_down": (
        "searching/fit/test_stance_fitting.py::test_a_fit_learns_what_conclusions_say_and_measures_it_on_the_test_part"
    ),
    "annotation/test_small_files.py::test_all_small_files_are_in_the_table": (
        "annotation/test_small_files.py::test_annotations_of_ours_are_read"
    ),
    "annotation/test_small_files.py::test_a_small_file_is_read_or_refused_by_its_fault": (
        "annotation/test_small_files.py::test_a_file_of_ours_is_refused_by_its_fault"
    ),
    "annotation/third_party/test_reading.py::test_crafts_mondo_fits_its_articles": (
        "annotation/third_party/test_contract.py::test_the_terms_come_with_identifier_offsets_and_negation"
    ),
    "annotation/third_party/test_formats.py::test_the_rows_that_clicrs_program_reads": (
        "annotation/third_party/test_formats.py::test_a_row_of_clamp_with_a_field_missing_is_one_line"
    ),
    "documents/formats/test_ctakes_xcas.py::test_the_programs_cases": (
        "documents/formats/test_ctakes_xcas.py::test_tokens_are_written_with_blanks_and_sentences_with_line_ends"
    ),
    "corpus/test_full_texts.py::test_the_terms_are_those_of_mesh": (
        "corpus/test_full_texts.py::test_the_terms_agree_with_the_tagged_abstracts"
    ),
    "terms/formats/test_formats.py::test_real_vocabularies_have_as_many_names_as_counted": (
        "terms/formats/test_contract.py::test_the_sample_is_read"
    ),
    "acceptance/test_commands_search.py::test_the_thesis_s_question_over_all_papers_at_hand": (
        "acceptance/test_commands_search.py::test_index_search_ask"
    ),
    "acceptance/test_commands_search_evaluation.py::test_the_judgements_of_real_collections_are_read": (
        "acceptance/test_commands_search_evaluation.py::test_two_runs_are_ranked_tested_and_what_does_not_fit_is_named"
    ),
    "acceptance/test_papers_of_an_index.py::test_four_collections_in_any_order_and_number_of_calls": (
        "acceptance/test_papers_of_an_index.py::test_bundled_papers_in_any_order_and_number_of_calls"
    ),
    "acceptance/test_new_user.py::test_a_new_user_s_questions_over_four_collections": (
        "acceptance/test_new_user.py::test_a_new_user_s_questions_over_the_bundled_papers"
    ),
    "api/test_vectors.py::test_citations_of_pubmed_become_vectors": (
        "api/test_vectors.py::test_documents_become_a_file_that_is_read_again"
    ),
    "datasets/bioasq/test_evidence.py::test_the_three_twins_of_the_real_files_are_left_out": (
        "datasets/bioasq/test_evidence.py::test_twins_of_tested_questions_are_left_out_and_their_gold_is_no_other"
    ),
    "datasets/bioasq/test_decisions.py::test_on_real_golden_files": (
        "datasets/bioasq/test_decisions.py::test_other_questions_are_left_out_and_counted"
    ),
    "datasets/bioasq/test_cloze.py::test_rules_cover_the_experts_questions_as_often_as_written_down": (
        "language/test_statements.py::test_a_rule_makes_a_statement"
    ),
    "datasets/bioasq/test_cloze.py::test_the_judged_statements_are_the_ones_that_seed_3_draws": (
        "labelling/test_statements.py::test_a_split_can_be_drawn_from_and_a_smaller_draw_is_part_of_a_larger_one"
    ),
    "datasets/squad/test_squad_layout.py::test_the_faults_of_bioasqs_files": (
        "datasets/squad/test_squad_layout.py::test_an_answers_faults_are_counted_and_its_text_stays"
    ),
    "datasets/bioasq/test_parts.py::test_the_golden_files_give_the_questions_of_the_experiments": (
        "datasets/bioasq/test_parts.py::test_twins_of_dev_and_test_leave_the_splits_before_them_and_each_is_named"
    ),
    "datasets/bioasq/test_kept_apart.py::test_the_held_out_questions_of_the_real_files_have_three_twins": (
        "datasets/bioasq/test_kept_apart.py::test_twins_are_found_in_other_files_only"
    ),
    "datasets/bioasq/test_layout.py::test_all_golden_files_come_back_byte_for_byte": (
        "datasets/bioasq/test_layout.py::test_any_file_comes_back"
    ),
    "datasets/bioasq/test_layout.py::test_the_test_sets_come_back_from_phase_b": (
        "datasets/bioasq/test_layout.py::test_a_file_comes_back_byte_for_byte"
    ),
    "datasets/clicr/test_vectors.py::test_a_function_of_a_text_gives_the_programs_answers": (
        "datasets/clicr/test_marks.py::test_a_line_is_read_into_words_and_whole_entities"
    ),
    "datasets/clicr/test_open_reports.py::test_gold_entities_have_the_known_numbers_of_each_type": (
        "datasets/clicr/test_semantic_types.py::test_types_are_known_in_any_spelling"
    ),
    "datasets/clicr/test_open_reports.py::test_the_last_three_sentences_of_gold_reports_give_the_known_queries": (
        "datasets/clicr/test_sections.py::test_the_last_sentences_are_counted_without_headings"
    ),
    "datasets/clicr/test_open_reports.py::test_46_of_102_open_reports_have_a_conclusion": (
        "datasets/clicr/test_sections.py::test_a_conclusion_is_the_body_s_and_sections_inside_it_stay_in_the_passage"
    ),
    "datasets/clicr/test_open_reports.py::test_four_open_reports_have_learning_points": (
        "datasets/clicr/test_sections.py::test_a_list_of_learning_points_begins_inside_a_section_and_ends_with_it"
    ),
    "datasets/clicr/test_departures.py::test_the_design_has_the_counts_of_the_random_reports": (
        "datasets/clicr/test_departures.py::test_a_departure_is_noticed"
    ),
    "datasets/clicr/test_nine_reports.py::test_1500_random_reports_keep_every_letter_through_build_and_export": (
        "datasets/clicr/test_nine_reports.py::test_a_report_of_ours_becomes_the_programs_dataset"
    ),
    "datasets/clicr/test_nine_reports.py::test_the_commands_give_the_programs_bytes": (
        "datasets/clicr/test_nine_reports.py::test_a_report_of_ours_becomes_the_programs_dataset"
    ),
    "datasets/clicr/test_nine_reports.py::test_nine_reports_become_the_programs_dataset": (
        "datasets/clicr/test_nine_reports.py::test_a_report_of_ours_becomes_the_programs_dataset"
    ),
    "datasets/clicr/test_vectors.py::test_passages_are_marked_as_by_the_program": (
        "datasets/clicr/test_letters.py::test_letters_of_nested_and_touching_entities_are_lost"
    ),
    "datasets/clicr/test_vectors.py::test_queries_are_made_as_by_the_program": (
        "datasets/clicr/test_queries.py::test_the_line_around_the_hidden_entity_is_the_query"
    ),
    "datasets/clicr/test_vectors.py::test_1500_random_reports_become_the_programs_documents": (
        "datasets/clicr/test_as_published.py::test_a_report_becomes_title_context_and_numbered_queries"
    ),
    "datasets/clicr/test_vectors.py::test_1500_random_reports_have_the_programs_passages_and_queries": (
        "datasets/clicr/test_as_published.py::test_any_report_is_built_left_out_or_refused"
    ),
    "datasets/clicr/test_vectors.py::test_titles_and_contexts_are_parted_as_by_the_program": (
        "datasets/clicr/test_as_published.py::test_the_program_stops"
    ),
    "datasets/clicr/test_vectors.py::test_reports_are_named_as_by_the_program": (
        "documents/formats/test_clicr_report.py::test_the_id_is_the_files_name_before_its_ending"
    ),
    "datasets/clicr/test_vectors.py::test_exact_repeats_are_those_of_the_program": (
        "datasets/clicr/test_questions.py::test_the_longer_side_in_its_line_is_looked_for"
    ),
    "datasets/clicr/test_vectors.py::test_random_citations_go_as_in_the_program": (
        "datasets/clicr/test_queries.py::test_numbers_after_a_full_stop_and_before_a_sentence_go"
    ),
    "datasets/biomrc/test_build.py::test_the_facts_of_the_real_files": (
        "datasets/biomrc/test_build.py::test_what_was_built_is_sound_and_its_receipt_adds_up"
    ),
    "datasets/biomrc/test_layout.py::test_a_real_file_comes_back_byte_for_byte": (
        "datasets/biomrc/test_layout.py::test_a_file_in_the_layout_comes_back_byte_for_byte"
    ),
    "datasets/biomrc/test_layout.py::test_no_invariant_is_broken_in_any_real_file_and_none_is_a_published_file": (
        "acceptance/test_round_trip.py::test_a_corpus_with_two_spellings_of_each_type_comes_back_sound"
    ),
    "datasets/biomrc/test_layout.py::test_the_candidates_of_a_real_instance_have_different_keys": (
        "datasets/biomrc/test_layout.py::test_two_candidates_of_one_key_are_told_apart_by_their_numbers_and_come_back"
    ),
    "datasets/biomrc/test_layout.py::test_the_real_file_of_setting_b_comes_out_of_that_of_setting_a": (
        "datasets/biomrc/test_layout.py::test_setting_b_comes_out_of_setting_a_byte_for_byte"
    ),
    "datasets/test_cloze_statistics.py::test_the_real_instances_lie_where_the_reference_found_them": (
        "datasets/test_cloze_statistics.py::test_lengths_are_white_space_tokens_with_entities_and_the_placeholder_as_one"
    ),
    "datasets/bioread/test_craft.py::test_bioread_s_limits_give_48_143_instances": (
        "datasets/bioread/test_build.py::test_limits_are_inclusive_and_count_the_questions_they_cost"
    ),
    "datasets/bioread/test_craft.py::test_lite_s_limits_give_9_614_instances": (
        "datasets/bioread/test_build.py::test_limits_are_inclusive_and_count_the_questions_they_cost"
    ),
    "datasets/bioread/test_craft.py::test_strict_rules_leave_out_captions_back_matter_and_windows_across_sections": (
        "datasets/bioread/test_article.py::test_left_out_sections_leave_the_passage_and_are_counted"
    ),
    "datasets/covid_qa/test_covid_qa_layout.py::test_the_dirt_of_the_real_file": (
        "datasets/covid_qa/test_covid_qa_layout.py::test_a_question_without_a_place_is_left_out_and_named"
    ),
    "datasets/pubmedqa/test_build.py::test_real_archives_give_their_known_counts": (
        "datasets/pubmedqa/test_build.py::test_articles_in_an_archive_become_decisions_the_same_by_any_number_of_workers"
    ),
    "datasets/pubmedqa/test_build.py::test_the_real_citations": (
        "datasets/pubmedqa/test_build.py::test_a_title_that_asks_is_unlabelled_and_one_that_states_is_labelled_by_rule"
    ),
    "datasets/pubmedqa/test_folds.py::test_the_published_lists": (
        "datasets/pubmedqa/test_folds.py::test_our_sample_is_drawn_as_before"
    ),
    "datasets/pubmedqa/test_layout.py::test_the_published_file_and_its_splits": (
        "datasets/pubmedqa/test_layout.py::test_a_labelled_file_is_split_as_by_the_authors"
    ),
    "datasets/pubmedqa/test_layout.py::test_the_published_file_in_an_archive_is_recognised": (
        "datasets/pubmedqa/test_layout.py::test_the_only_file_of_an_archive_is_read_and_comes_back"
    ),
    "datasets/pubmedqa/test_question_types.py::test_nine_of_ten_questions_of_pqa_l_are_named_as_a_reader_did": (
        "datasets/pubmedqa/test_question_types.py::test_each_rule_decides_its_own_questions"
    ),
    "datasets/pubmedqa/test_questions.py::test_at_least_98_of_100_real_questions_are_kept": (
        "datasets/pubmedqa/test_questions.py::test_yes_no_or_maybe_can_answer"
    ),
    "datasets/scifact/test_scifact_layout.py::test_a_tenth_of_the_real_train_shares_no_abstract_with_the_rest": (
        "datasets/scifact/test_scifact_layout.py::test_no_abstract_stands_in_train_and_in_dev"
    ),
    "datasets/scifact/test_scifact_layout.py::test_the_published_counts_of_the_real_files": (
        "datasets/scifact/test_scifact_layout.py::test_what_does_not_fit_is_counted_and_named"
    ),
    "datasets/scifact/test_verdicts.py::test_theirs_have_the_counts_that_are_told": (
        "datasets/scifact/test_verdicts.py::test_support_is_yes_contradict_is_no_and_cited_without_evidence_is_maybe"
    ),
    "datasets/test_shortcuts.py::test_the_real_instances_have_the_shortcuts_that_the_reference_counts": (
        "datasets/test_shortcuts.py::test_the_carried_sample_has_one_of_almost_each"
    ),
    "datasets/kinds/test_cloze_views.py::test_the_local_view_is_what_the_published_file_of_setting_b_has": (
        "datasets/kinds/test_cloze_views.py::test_the_local_view_is_what_the_file_of_setting_b_has"
    ),
    "documents/test_bibliography.py::test_real_files_keep_what_their_records_say": (
        "documents/test_bibliography.py::test_one_paper_has_the_same_facts_in_every_format"
    ),
    "documents/formats/bioc/test_conversion.py::test_what_is_left_out_of_real_files_is_counted": (
        "documents/formats/bioc/test_conversion.py::test_what_a_document_has_no_place_for_is_counted_infon_by_infon"
    ),
    "documents/formats/bioc/test_json.py::test_real_files_give_their_known_counts": (
        "documents/formats/bioc/test_json.py::test_every_wrapper_gives_the_same_documents"
    ),
    "documents/formats/bioc/test_xml.py::test_biored_is_the_same_in_its_three_formats": (
        "documents/formats/bioc/test_conversion.py::test_both_formats_give_the_same_documents"
    ),
    "documents/formats/bioc/test_xml.py::test_infons_named_after_sources_spell_identifiers_as_pubtator_text_does": (
        "documents/formats/bioc/test_conversion.py::test_an_identifier_is_the_first_infon_that_links_to_something"
    ),
    "documents/formats/bioc/test_xml.py::test_real_files_give_their_known_counts": (
        "documents/formats/bioc/test_xml.py::test_a_mended_document_is_kept_and_counted"
    ),
    "documents/formats/cord19/test_format.py::test_the_samples_of_real_releases_give_their_known_counts": (
        "documents/formats/cord19/test_format.py::test_a_release_gives_its_papers_however_it_is_packed"
    ),
    "documents/test_dates.py::test_real_citations_all_have_a_date": (
        "documents/test_dates.py::test_citations_give_their_dates_and_what_they_lack_is_counted"
    ),
    "documents/formats/jats/test_format.py::test_real_articles_give_their_known_counts": (
        "documents/formats/jats/test_format.py::test_the_carried_articles_give_their_known_counts"
    ),
    "documents/formats/jats/test_format.py::test_identifiers_and_titles_of_real_articles_are_another_programs": (
        "documents/formats/jats/test_format.py::test_front_matter_is_read_as_it_stands"
    ),
    "datasets/clicr/test_layout.py::test_the_published_program_s_files_come_back_byte_for_byte": (
        "datasets/clicr/test_layout.py::test_all_splits_come_back_byte_for_byte"
    ),
    "datasets/clicr/test_reader_files.py::test_published_plain_instances_come_out_alike": (
        "datasets/clicr/test_reader_files.py::test_in_the_plain_view_marks_alone_go"
    ),
    "datasets/clicr/test_reader_files.py::test_published_files_of_readers_come_out_alike": (
        "datasets/clicr/test_reader_files.py::test_the_gated_attention_reader_gets_a_file_an_instance"
    ),
    "datasets/clicr/test_views.py::test_the_published_loaders_show_the_same": (
        "datasets/clicr/test_views.py::test_a_view_shows_entities_as_numbers_as_tokens_or_not_at_all"
    ),
    "datasets/test_case_report_statistics.py::test_the_published_program_counts_the_same": (
        "datasets/test_case_report_statistics.py::test_reports_count_once_and_answers_once_a_query"
    ),
    "documents/formats/jats/test_reference_list.py::test_bioread_strict_leaves_out_the_labels_of_real_articles": (
        "documents/formats/jats/test_reference_list.py::"
        "test_bioread_strict_leaves_out_every_label_of_an_article_that_is_no_prose"
    ),
    "documents/formats/jats/test_reference_list.py::test_real_articles_have_a_line_for_each_reference": (
        "documents/formats/jats/test_reference_list.py::test_every_word_of_printed_references_is_read_once"
    ),
    "documents/formats/bioc/test_writing.py::test_real_full_texts_come_back": (
        "documents/formats/bioc/test_writing.py::test_the_carried_corpus_is_converted_and_read_as_it_was"
    ),
    "documents/formats/test_text.py::test_every_annotation_of_maccrobat_is_a_mention": (
        "documents/formats/test_text.py::test_a_folder_of_brat_becomes_documents_with_entities"
    ),
    "documents/formats/jats/test_body.py::test_figures_and_references_of_real_articles_are_another_programs": (
        "documents/formats/jats/test_body.py::test_back_matter_is_told_apart_and_references_are_no_text"
    ),
    "documents/formats/jats/test_body.py::test_real_articles_hold_the_words_of_their_plain_texts": (
        "documents/formats/jats/test_body.py::test_every_word_of_a_body_is_told_once"
    ),
    "documents/formats/test_jsonl.py::test_real_collections_give_their_known_counts": (
        "documents/formats/test_jsonl.py::test_the_carried_citations_are_converted_and_come_back"
    ),
    "documents/formats/medline/test_format.py::test_corrections_of_a_real_file_are_three_facts": (
        "documents/formats/medline/test_format.py::test_facts_are_those_of_the_elements"
    ),
    "documents/formats/medline/test_format.py::test_real_files_give_their_known_counts": (
        "documents/formats/medline/test_format.py::test_the_carried_file_gives_its_known_counts"
    ),
    "documents/formats/medline/test_format.py::test_what_efetch_gave_is_read_under_every_root": (
        "documents/formats/medline/test_format.py::test_a_citation_is_found_under_every_root"
    ),
    "documents/formats/medline/test_format.py::test_what_is_not_parsed_of_real_files_is_in_no_document": (
        "documents/formats/medline/test_format.py::test_what_is_not_parsed_is_in_no_document"
    ),
    "documents/formats/medline/test_writing.py::test_real_files_come_back": (
        "documents/formats/medline/test_writing.py::test_the_carried_file_comes_back"
    ),
    "documents/formats/nbib/test_format.py::test_real_files_give_their_known_counts": (
        "documents/formats/nbib/test_format.py::test_the_carried_files_give_their_known_counts"
    ),
    "documents/formats/nbib/test_writing.py::test_real_files_come_back": (
        "documents/formats/nbib/test_writing.py::test_the_carried_files_come_back"
    ),
    "documents/formats/pubtator/test_input_faults.py::test_the_facts_of_the_real_files": (
        "documents/formats/pubtator/test_input_faults.py::test_each_kind_of_dirt_is_counted_under_its_name"
    ),
    "evaluation/phase_b/test_figures.py::test_560_of_564_sets_of_figures_are_those_of_the_program": (
        "evaluation/phase_b/test_figures.py::test_the_figures_of_questions_of_ours_by_hand"
    ),
    "evaluation/phase_b/test_figures.py::test_121_of_123_lines_of_the_thesis_s_measures": (
        "evaluation/phase_b/test_figures.py::test_a_golden_file_through_the_columns_has_the_thesis_s_figures"
    ),
    "evaluation/measures/test_bioasq_retrieval.py::test_the_outputs_of_a_published_system": (
        "evaluation/measures/test_bioasq_retrieval.py::test_the_protocol_is_the_edition"
    ),
    "evaluation/test_phase_a.py::test_the_constructed_cases": (
        "evaluation/test_phase_a.py::test_documents_are_divided_as_each_edition_does"
    ),
    "evaluation/test_phase_a.py::test_the_outputs_of_a_published_system": (
        "evaluation/test_phase_a.py::test_snippets_count_their_last_character_and_those_that_touch_are_one"
    ),
    "evaluation/test_phase_a.py::test_the_figures_of_trec_eval_and_of_the_organisers_program": (
        "evaluation/test_phase_a.py::test_more_than_ten_gold_documents_divide_by_ten_and_answers_are_not_cut"
    ),
    "language/test_negation.py::test_what_it_marks_of_pubmedqa_is_what_is_written_down": (
        "language/test_negation.py::test_the_list_marks_most_conclusions_that_say_no_and_few_that_say_yes"
    ),
    "language/test_sentences.py::test_the_rules_beat_nupunkt_on_the_papers_of_craft_that_they_were_not_written_over": (
        "language/test_sentences.py::test_the_hard_cases_of_our_own_gold_are_found"
    ),
    "language/test_sentences.py::test_the_verdict_on_real_abstracts_is_that_of_counting": (
        "language/test_sentences.py::test_the_verdict_on_the_carried_abstracts_is_that_of_counting"
    ),
    "readers/evidence/test_jpdrmm.py::test_tokens_and_features_are_those_of_the_authors_program": (
        "readers/evidence/test_jpdrmm.py::test_the_features_by_hand"
    ),
    "readers/evidence/test_jpdrmm.py::test_the_older_build_gives_the_other_document_the_wrong_score": (
        "readers/evidence/test_jpdrmm.py::test_a_forward_pass_agrees_with_one_written_apart"
    ),
    "readers/evidence/test_jpdrmm.py::test_values_losses_and_gradients_are_those_of_the_authors_program": (
        "readers/evidence/test_jpdrmm.py::test_a_forward_pass_agrees_with_one_written_apart"
    ),
    "readers/evidence/test_overlap.py::test_the_levels_of_scifacts_validation_claims": (
        "readers/evidence/test_overlap.py::test_it_runs_on_a_split_alone_and_over_a_collection"
    ),
    "readers/recurrent/test_published_programs.py::test_the_program_s_ten_adam_steps": (
        "readers/recurrent/test_published_programs.py::test_ten_adam_steps_by_the_formulas_alone"
    ),
    "readers/test_attention_over_attention.py::test_the_program_s_own_numbers": (
        "readers/test_attention_over_attention.py::test_the_program_s_formulas_on_numbers_of_ours"
    ),
    "readers/test_attention_sum.py::test_the_program_s_own_numbers": (
        "readers/test_attention_sum.py::test_the_program_s_formulas_on_numbers_of_ours"
    ),
    "readers/test_masked_encoder.py::test_everything_is_as_the_published_program_computed_it": (
        "readers/test_masked_encoder.py::test_the_forward_is_that_of_the_formulas_written_out"
    ),
    "evaluation/measures/test_answer_texts.py::test_the_published_normalisation": (
        "evaluation/measures/test_answer_texts.py::test_texts_are_normalised_as_squad_does"
    ),
    "evaluation/measures/test_answer_texts.py::test_the_published_exact_match_and_f1": (
        "evaluation/measures/test_answer_texts.py::test_exact_match_and_f1_by_hand"
    ),
    "evaluation/measures/test_answer_texts.py::test_the_published_best_over_several_answers": (
        "evaluation/measures/test_answer_texts.py::test_exact_match_and_f1_by_hand"
    ),
    "evaluation/measures/test_answer_texts.py::test_random_published_exact_matches_and_f1": (
        "evaluation/measures/test_answer_texts.py::test_exact_match_and_f1_by_hand"
    ),
    "evaluation/measures/test_answer_texts.py::test_the_published_bleu": (
        "evaluation/measures/test_answer_texts.py::test_bleu_by_hand"
    ),
    "evaluation/measures/test_answer_texts.py::test_random_published_bleu": (
        "evaluation/measures/test_answer_texts.py::test_bleu_by_hand"
    ),
    "evaluation/measures/test_cloze_texts.py::test_the_published_parts_of_seen_and_unseen_answers": (
        "evaluation/measures/test_cloze_texts.py::test_as_published_lower_cases_the_answers_of_train_alone"
    ),
    "evaluation/measures/test_cloze_texts.py::test_the_published_embedding_averages": (
        "evaluation/measures/test_cloze_texts.py::test_as_published_unknown_words_take_row_0"
    ),
    "evaluation/measures/test_cloze_texts.py::test_the_published_evaluation": (
        "evaluation/measures/test_cloze_texts.py::test_any_text_is_judged_and_is_no_problem"
    ),
    "evaluation/measures/test_cloze_texts.py::test_the_published_scores_of_the_baselines": (
        "evaluation/measures/test_cloze_texts.py::test_any_text_is_judged_and_is_no_problem"
    ),
    "vocabularies/test_clicr_vectors.py::test_the_published_reading": (
        "vocabularies/test_clicr_vectors.py::test_the_words_behind_a_malformed_line_get_the_row_before_theirs"
    ),
    "web/test_routes.py::test_the_theses_question_brings_its_papers_marked": (
        "web/test_routes.py::test_a_question_brings_its_kind_its_sentences_and_ranked_sections"
    ),
    "readers/heuristics/test_clicr_baselines.py::test_the_most_frequent_surface_is_the_published_programs": (
        "readers/heuristics/test_clicr_baselines.py::test_the_most_frequent_surface"
    ),
    "readers/heuristics/test_clicr_baselines.py::test_maxfreq_entity_answers_as_the_published_program": (
        "readers/heuristics/test_clicr_baselines.py::test_maxfreq_entity_counts_surfaces_letter_by_letter_and_gives_ties_to_the_first_seen"
    ),
    "readers/heuristics/test_sim_entity.py::test_the_summed_vectors_are_the_published_programs": (
        "readers/heuristics/test_sim_entity.py::test_a_window_ends_with_its_line_and_takes_other_entities_word_by_word"
    ),
    "readers/heuristics/test_sim_entity.py::test_the_best_occurrence_is_the_published_programs": (
        "readers/heuristics/test_sim_entity.py::test_as_published_an_occurrence_without_a_cosine_wins"
    ),
    "readers/heuristics/test_sim_entity.py::test_sim_entity_answers_as_the_published_program": (
        "readers/heuristics/test_sim_entity.py::test_the_scores_are_the_best_cosines_over_the_occurrences"
    ),
}

_OURS = "it holds our text against real papers or vocabularies, so it has nothing to read without them"
ALONE = {
    "corpus/test_carried.py::test_the_identifiers_are_those_of_the_vocabularies": _OURS,
    "corpus/test_citations_read.py::test_headings_are_those_of_the_vocabulary": _OURS,
    "corpus/test_citations_read.py::test_no_title_or_sentence_is_that_of_a_real_paper": _OURS,
    "corpus/test_full_texts.py::test_no_title_or_sentence_is_that_of_a_real_paper": _OURS,
    "corpus/test_synthetic.py::test_no_word_and_no_name_is_a_real_one": _OURS,
    "readers/heuristics/test_baselines_on_published_files.py::test_every_baseline_has_the_expected_number_right": (
        "its figures are of the authors' files, whose text may not be carried; each baseline is worked out by hand in "
        "readers/heuristics/"
    ),
    "readers/test_question_types.py::test_on_held_out_questions_of_bioasq_it_beats_the_majority_by_far": (
        "a figure on experts' questions says nothing of invented ones"
    ),
}
