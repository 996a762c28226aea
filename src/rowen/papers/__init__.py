"""Scholarly papers: from PDF to header, citations, body and text."""
