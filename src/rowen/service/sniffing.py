"""What a document is; told where documents are read."""

from rowen.documents.sniffing import HTML, PDF, TEXT, media_type_of

__all__ = ["HTML", "PDF", "TEXT", "media_type_of"]
