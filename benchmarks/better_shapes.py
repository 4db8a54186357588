"""Shapes of programs that are known to run faster and are not reached yet, for the table to say so."""

BETTER = {
    "asian_option": "the paths' arrays in place: the step is shorter than making its results",
    "autocorrelation": "all lags in one pass over the series",
    "cholesky_rows": "the dot products as loops of one native function",
    "common_subsequence": "the characters as arrays of numbers, and the loops native",
    "convolution_shifts": "all taps in one pass over the image",
    "euler_lambda": "the lambda in the place of its call: one kernel a time step",
    "forward_rows": "the dot products as loops of one native function",
    "gram_schmidt": "the inner loop as one product of a matrix and a vector",
    "julia": "the whole grid under a mask, as `mandelbrot`, in place of dropped points",
    "knapsack_rows": "the rows as loops of one native function, as `knapsack`",
    "logistic_map": "the trips that keep nothing apart from those that do: a step without a branch",
    "product_chain": "the products in the cheapest order",
    "smith_waterman": "the anti-diagonals as loops of one native function",
}
