"""biasorigin: measure the bias of word embeddings and trace it to the documents it came from.

The library computes on arrays and frames. It knows nothing of the workflow around it.
"""
