"""Diagnosis at scale: pyspark is imported in this room and nowhere else."""
