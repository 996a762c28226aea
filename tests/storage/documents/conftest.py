from service_fixtures import shared, small_disk, start, valkey

__all__ = ["shared", "small_disk", "start", "valkey"]
