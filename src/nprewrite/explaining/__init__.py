"""What nprewrite sees in a file, does with it, and makes of it; ``nprewrite explain`` shows it.

explanation   what is explained, as plain data; made of the text alone
known, words  the types that the text says, and what it does not say
changes       the diff of a pass, for one function
meanings      what the reasons of refusals mean, from the catalogue
text, document, page   the three forms it is shown in
"""
