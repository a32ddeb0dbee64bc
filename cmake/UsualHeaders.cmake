# What most files of apps/, bench/, tests/ and tools/ include takes longer than the rest of compiling them: it is read once for all,
# for libraries and for programs. The debug preset does without, so that each file is seen to include what it needs.
foreach(kind IN ITEMS libraries programs)
  set(target windrow_usual_headers_of_${kind})
  add_library(${target} OBJECT ${CMAKE_CURRENT_LIST_DIR}/usual_headers.cpp)
  target_link_libraries(${target} PRIVATE windrow::windrow windrow_warnings windrow_fmt GTest::gtest)
  windrow_shared_macros(${target})
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CURRENT_LIST_DIR}/usual_headers.hpp>")
endforeach()
set_target_properties(windrow_usual_headers_of_programs PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(windrow_usual_headers_of_programs PRIVATE -fPIE)
add_custom_target(windrow_usual_headers)
add_dependencies(windrow_usual_headers windrow_usual_headers_of_libraries windrow_usual_headers_of_programs)
