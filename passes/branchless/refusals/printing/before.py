"""What a function prints, it prints element by element, and once more for the first."""

import numpy as np


@np.vectorize
def told(x):
    print(x)
    return x if x > 0 else 0.0


def tell(x):
    return told(x)


def cases():
    yield "tell", (np.linspace(-1.0, 1.0, 3),)
