"""The explorer: one page that holds the study's results and, in compressed blocks, its documents."""
