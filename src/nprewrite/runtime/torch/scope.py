"""The module that holds a step's names in the process that compiles it; empty elsewhere.

Dynamo looks names up by the name of their module, and a saved graph asks for that module when it is loaded.
"""
