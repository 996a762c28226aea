"""The structure of a paper's body: paragraphs, figures, tables, formulas, footnotes."""
