# What most files of apps/, bench/, tests/ and tools/ include takes longer than the rest of compiling them: it is read once for all
# libraries, once for all programs, and once for those with WINDROW_COLD_OPTIONS. The debug preset does without, so that each file is
# seen to include what it needs.
foreach(kind IN ITEMS libraries programs cold_programs)
  set(target windrow_usual_headers_of_${kind})
  add_library(${target} OBJECT ${CMAKE_CURRENT_LIST_DIR}/usual_headers.cpp)
  target_link_libraries(${target} PRIVATE windrow::windrow windrow_warnings windrow_fmt GTest::gtest)
  windrow_shared_macros(${target})
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CURRENT_LIST_DIR}/usual_headers.hpp>")
endforeach()
foreach(kind IN ITEMS programs cold_programs)
  set_target_properties(windrow_usual_headers_of_${kind} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(windrow_usual_headers_of_${kind} PRIVATE -fPIE)
endforeach()
target_compile_options(windrow_usual_headers_of_cold_programs PRIVATE ${WINDROW_COLD_OPTIONS})
add_custom_target(windrow_usual_headers)
add_dependencies(windrow_usual_headers windrow_usual_headers_of_libraries windrow_usual_headers_of_programs
                 windrow_usual_headers_of_cold_programs)
