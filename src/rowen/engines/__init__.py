"""Engines: they spread `recycling.partition.work` over the partitions of a snapshot.

An engine knows nothing of matching or reuse. It gets tasks, one per partition, and calls the same
function for each: in processes of this machine (`local`) or on a Dask cluster (`dask`, where each
worker starts a `guest`, a process of its own with the local engine in it).
"""
