"""Great-circle distances between coordinates by the haversine formula; NPBench's arc_distance."""

import numpy as np

ENTRY = "arc_distance"
SIZES = {"bench": (1_000_000,), "small": (40,)}


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    distance_matrix = 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))
    return distance_matrix


def setup(n):
    return tuple(np.random.default_rng(135).uniform(-1.5, 1.5, (4, n)))
