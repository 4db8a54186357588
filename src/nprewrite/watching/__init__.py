"""What a program passes to the functions of some files: ``nprewrite FILE --observe "python run.py"``."""
