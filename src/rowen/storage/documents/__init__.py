"""Where the service keeps documents and results: SQLite and files, object storage, Redis."""
