# The parts of the project that a machine may lack, by their names in dev/parts.py: which of them a build has, and which tests need
# them. `./windrow test` compares that with what the machine could have, so that nothing is left out without a word.

# windrow_has_part(NAME): this build has the part and its tests.
function(windrow_has_part name)
  set_property(GLOBAL APPEND PROPERTY WINDROW_PARTS ${name})
endfunction()

# windrow_needs_parts(TEST NAME...): the test is left out where one of these parts is.
function(windrow_needs_parts test)
  set_property(TEST ${test} APPEND PROPERTY LABELS ${ARGN})
  # How a test says that the machine lacks what it needs; `./windrow test` takes it for a failure.
  set_property(TEST ${test} PROPERTY SKIP_RETURN_CODE 77)
endfunction()

# windrow_long_tests(TEST...): for `./windrow test --all` only.
function(windrow_long_tests)
  foreach(test IN LISTS ARGN)
    set_property(TEST ${test} APPEND PROPERTY LABELS long)
  endforeach()
endfunction()

# windrow_needs_targets(TEST TARGET...): files that the test's command line does not name.
function(windrow_needs_targets test)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      set_property(TEST ${test} APPEND PROPERTY REQUIRED_FILES $<TARGET_FILE:${target}>)
    endif()
  endforeach()
endfunction()

# windrow_needs_whole_build(TEST...): they use nearly everything.
function(windrow_needs_whole_build)
  foreach(test IN LISTS ARGN)
    set_property(TEST ${test} APPEND PROPERTY LABELS whole-build)
  endforeach()
endfunction()

# To be called behind everything else: leaves the parts and the targets of this build for the scripts.
function(windrow_write_parts)
  get_property(parts GLOBAL PROPERTY WINDROW_PARTS)
  list(SORT parts)
  windrow_targets(targets ${PROJECT_SOURCE_DIR})
  foreach(name parts targets)
    list(JOIN ${name} "\n" text)
    file(WRITE ${CMAKE_BINARY_DIR}/${name}.txt "${text}\n")
  endforeach()
endfunction()

function(windrow_targets result folder)
  get_property(found DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    windrow_targets(more ${one})
    list(APPEND found ${more})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()
