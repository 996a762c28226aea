"""Rowen's jobs as tools for language models: a server of the Model Context Protocol.

An agent reads pages of strangers and does what it finds there, perhaps. So a tool reads only files
in folders that were allowed, fetches only if that was allowed, and works in a confined process with
limits of time and memory. It never runs code, and writes nothing but wrappers in their one folder.
"""
