from tests.fake_model import fake_model  # noqa: F401 (a fixture)
