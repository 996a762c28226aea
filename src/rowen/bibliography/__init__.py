"""Reading what reference managers export: BibTeX, RIS, CSL JSON and Zotero's RDF."""
