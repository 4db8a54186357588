"""What nprewrite sees in a file, does with it, and makes of it; ``nprewrite explain`` shows it.

explanation   what is explained, as plain data
known, words  the types that the text says, and what it does not say
meanings      what the reasons of refusals mean, from the catalogue
calls         runs calls in processes (worker): compiled in sight (compiling, places, kernels),
              line by line, under torch.compile alone (bare)
running       what is asked of them, and what they show, as plain data
text, running_text, page, columns   the forms it is shown in
"""
