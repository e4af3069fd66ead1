"""Debiasing of word vectors, and the audit of what remains afterwards."""
