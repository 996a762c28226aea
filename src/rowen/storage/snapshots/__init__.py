"""The files of a store of snapshots: manifests, pages, texts and results, as JSON and Parquet."""

from rowen.model.extras import require

require("store", "a store", "pyarrow", "zstandard")
