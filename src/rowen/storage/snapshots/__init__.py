"""The files of a store of snapshots: manifests, pages, texts and results, as JSON and Parquet."""
