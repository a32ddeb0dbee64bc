# windrow_mobile_application(NAME sources... [WORKERS pes...]): the library windrow_NAME, the program NAME of main.cpp, and NAME_test on 1 to 4
# PEs; with two workers each on these numbers of PEs, too.
function(windrow_mobile_application name)
  cmake_parse_arguments(arg "" "" "WORKERS" ${ARGN})
  add_library(windrow_${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(windrow_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_include_directories(windrow_${name} SYSTEM PRIVATE ${WINDROW_CEREAL})
  target_link_libraries(windrow_${name} PUBLIC windrow::windrow PRIVATE windrow_fmt windrow_warnings)
  # Sums are rounded alike in every version, whatever the compiler makes of their loops.
  target_compile_options(windrow_${name} PRIVATE -ffp-contract=off)
  windrow_usual_headers(windrow_${name})
  windrow_compiled_together(windrow_${name})

  windrow_program(${name} COLD main.cpp)
  target_link_libraries(${name} PRIVATE windrow_${name} windrow_command_line windrow_fmt)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libexec/windrow)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/windrow)

  windrow_test(${name}_test SOURCES ${name}_test.cpp LIBRARIES windrow_${name} PES 1 2 3 4)
  foreach(pes 1 2 3 4)
    windrow_needs_parts(${name}_test.${pes} serialized-objects)
  endforeach()
  windrow_with_workers(${name}_test 2 ${arg_WORKERS})
  foreach(pes IN LISTS arg_WORKERS)
    windrow_needs_parts(${name}_test.${pes}.workers2 serialized-objects)
  endforeach()
endfunction()
