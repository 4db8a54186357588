"""Where a step's names stand while it is compiled, in the process that compiles; empty elsewhere.

Dynamo looks names up by the name of their module, and a saved graph asks for that module when it is loaded.
"""
