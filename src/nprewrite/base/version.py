"""The version of nprewrite."""

VERSION = "0.1.0"
