"""Submissions to BioASQ's task B: what the task allows, checked and written."""
