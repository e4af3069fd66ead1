"""Unsupervised bias enumeration (Swinger et al. 2019): from names and an embedding to tested associations."""
