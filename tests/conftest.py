from hypothesis import HealthCheck, settings

# Machines are shared and slow at times: no test may depend on how fast it runs.
settings.register_profile(
    "rowen", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("rowen")
