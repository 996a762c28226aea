"""The elements of a body: paragraphs, figures, tables, formulas, footnotes, from lines."""
