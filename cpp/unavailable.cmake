# reference_unavailable(PROBLEM REMEDY): instead of the extension, a module of its name that says why when imported.
function(reference_unavailable problem remedy)
  set(why "${problem} when nprewrite was built; install ${remedy} and build it again")
  message(WARNING "nprewrite is built without its reference kernels: ${why}")
  file(WRITE "${CMAKE_BINARY_DIR}/_reference.py" "raise ImportError(\"${why}\", name=__name__)\n")
  install(FILES "${CMAKE_BINARY_DIR}/_reference.py" DESTINATION nprewrite)
endfunction()
