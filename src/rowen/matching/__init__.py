"""Which work of a library's dump each citation names: `rowen match`.

Nothing of it asks a service: the works are rows of Parquet files, as Crossref and OpenAlex give
them away. The citations are the small side: they are indexed, and the works stream past them, so
that memory depends on the citations of one pass only.

    citations -> Wanted (title words, names, year)      matching.wanted
    works, batch by batch -> candidates by shared words  matching.dump, matching.index
    citation and candidate -> evidence -> confidence     matching.evidence
"""
