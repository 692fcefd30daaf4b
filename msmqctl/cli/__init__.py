"""DOOR to the terminal: Typer and rich live here and nowhere else."""
