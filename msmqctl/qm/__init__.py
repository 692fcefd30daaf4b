"""The queue manager: what it holds, what it decides, and the few doors through which it touches the disk and the clock. [MS-MQDMPR]

Rules are plain Python and positions live in the store. `element`, `message`, `model` and `directory_model` are the data the rules work
on, with the names of the document in snake case; they decide nothing beyond which values may stand together.
"""
