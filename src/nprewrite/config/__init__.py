"""What a user chose: ``[tool.nprewrite]`` of the nearest pyproject.toml, and what overrides it."""

from nprewrite.config.finding import Chosen, Configurations
from nprewrite.config.settings import Choices, Configuration, ConfigurationProblem

__all__ = ["Choices", "Chosen", "Configuration", "ConfigurationProblem", "Configurations"]
