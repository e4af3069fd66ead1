"""Which documents a bias comes from: differential bias, its check by retraining, and what the documents are."""
