# How the project's targets are made: one place for warnings and for the shape of a test.

add_library(windrow_warnings INTERFACE)
target_compile_options(windrow_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<BOOL:${WINDROW_DEVELOPER}>:-Werror>)

# The tests that run PEs as threads: those whose names contain "threads". All that a ThreadSanitizer build needs.
add_custom_target(thread_tests)
add_custom_target(costly_thread_tests)

# g++ takes precompiled headers only where their macros are the same, and GoogleTest's packages give this one to its users alone.
function(windrow_shared_macros target)
  target_compile_definitions(${target} PRIVATE GTEST_HAS_PTHREAD=1)
  set_target_properties(${target} PROPERTIES PCH_WARN_INVALID OFF)
endfunction()

# windrow_find_fast_linker(): developers link hundreds of programs, for which LLVM's linker, where it is found, takes a quarter of binutils'
# time. gcc and clang take the `ld` of a folder that is named to them.
function(windrow_find_fast_linker)
  find_program(WINDROW_LLD NAMES ld.lld-19 ld.lld)
  if(WINDROW_LLD)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/linker)
    file(CREATE_LINK ${WINDROW_LLD} ${PROJECT_BINARY_DIR}/linker/ld SYMBOLIC)
    add_link_options(-B${PROJECT_BINARY_DIR}/linker)
  endif()
endfunction()

# windrow_link_fast(TESTS...): tests that link hundreds of programs take that linker.
function(windrow_link_fast)
  if(WINDROW_LLD)
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT COMPILER_PATH=${PROJECT_BINARY_DIR}/linker)
  endif()
endfunction()

# windrow_cold(targets...): programs that take longer to compile than to run, and static libraries of such programs alone, which read
# the same usual headers. In front of windrow_usual_headers.
function(windrow_cold)
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES WINDROW_COLD ON)
    target_compile_options(${target} PRIVATE ${WINDROW_COLD_OPTIONS})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIE)
    endif()
  endforeach()
endfunction()

# windrow_cold_with_sanitizers(targets...): libraries, of which those who look for errors run little. In front of windrow_usual_headers.
function(windrow_cold_with_sanitizers)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    windrow_cold(${ARGN})
  endif()
endfunction()

# windrow_usual_headers(targets...): those that are C++ only read cmake/usual_headers.hpp precompiled, where that is on
# (UsualHeaders.cmake).
function(windrow_usual_headers)
  if(NOT WINDROW_USUAL_HEADERS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    get_target_property(type ${target} TYPE)
    if(sources MATCHES "[.]c(;|$)")
      continue()
    endif()
    windrow_shared_macros(${target})
    get_target_property(cold ${target} WINDROW_COLD)
    if(cold)
      target_precompile_headers(${target} REUSE_FROM windrow_usual_headers_of_cold_programs)
    elseif(type STREQUAL EXECUTABLE)
      target_precompile_headers(${target} REUSE_FROM windrow_usual_headers_of_programs)
    else()
      target_precompile_headers(${target} REUSE_FROM windrow_usual_headers_of_libraries)
    endif()
  endforeach()
endfunction()

# windrow_compiled_together(TARGET): the files of each of its folders are one unit where the preset compiles together. Their names in
# unnamed namespaces differ, then.
function(windrow_compiled_together target)
  if(NOT WINDROW_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "files_${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# windrow_program(NAME sources... [COLD]): a program that uses the library the way a user's does; COLD: its own code is (windrow_cold).
function(windrow_program name)
  cmake_parse_arguments(arg "COLD" "" "" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE windrow::windrow windrow_warnings)
  if(arg_COLD)
    windrow_cold(${name})
  endif()
  windrow_usual_headers(${name})
endfunction()

# windrow_test_part(NAME sources...): what several tests share, compiled once; they name it in LIBRARIES.
function(windrow_test_part name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC windrow::windrow windrow_fmt GTest::gtest PRIVATE windrow_warnings)
  windrow_usual_headers(${name})
endfunction()

# How tests that are jobs run: what stands still ends them, and the runtime checks what it can.
set(windrow_job_environment WINDROW_STALL_SECONDS=60 WINDROW_STALL_ABORT=1 WINDROW_DEBUG=1)

# windrow_test(NAME SOURCES ... [PES 1 2 4 ...] [LIBRARIES ...] [TIMEOUT seconds] [COSTLY] [OPTIMISED])
# Without PES the test is a plain GoogleTest program. With PES it is run once for each number of PEs, as a
# real multi-process job; such a test includes "tests/support/pe_test.hpp". COSTLY: a test of threads that takes long to compile, which
# runs under the thread sanitizer with `--all` only. OPTIMISED: one that runs long, or takes much stack, without optimisation.
function(windrow_test name)
  cmake_parse_arguments(arg "COSTLY;OPTIMISED" "TIMEOUT" "SOURCES;PES;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  if(NOT arg_OPTIMISED)
    windrow_cold(${name})
  endif()
  windrow_usual_headers(${name})
  if(arg_COSTLY)
    add_dependencies(costly_thread_tests ${name})
  elseif(name MATCHES "threads")
    add_dependencies(thread_tests ${name})
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  if(NOT arg_PES)
    target_link_libraries(${name} PRIVATE windrow::windrow windrow_warnings windrow_fmt GTest::gtest_main
                                          ${arg_LIBRARIES})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    if(arg_COSTLY AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
      windrow_long_tests(${name})
    endif()
    return()
  endif()
  target_link_libraries(${name} PRIVATE windrow::windrow windrow_warnings windrow_fmt windrow_pe_test_main
                                        ${arg_LIBRARIES})
  foreach(pes IN LISTS arg_PES)
    add_test(NAME ${name}.${pes} COMMAND $<TARGET_FILE:windrow_command> run -n ${pes} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${pes} PROPERTIES TIMEOUT ${arg_TIMEOUT}
      ENVIRONMENT "${windrow_job_environment}" PROCESSORS 2)
  endforeach()
endfunction()

# windrow_with_workers(TEST WORKERS PES...): TEST with that many workers of each PE, once for each number of PEs.
function(windrow_with_workers test workers)
  foreach(pes ${ARGN})
    set(name ${test}.${pes}.workers${workers})
    add_test(NAME ${name} COMMAND $<TARGET_FILE:windrow_command> run -n ${pes} $<TARGET_FILE:${test}>)
    set_tests_properties(${name} PROPERTIES TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "${windrow_job_environment};WINDROW_WORKERS=${workers}")
  endforeach()
endfunction()

# windrow_fewer_seeds(SEEDS TESTS...): with sanitizers, which take a multiple of the time, these tests of random streams run that many. The
# build without sanitizers runs all.
function(windrow_fewer_seeds seeds)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT "WINDROW_TEST_SEEDS=${seeds}")
  endif()
endfunction()

# windrow_refused(NAME [CASE TEXT]...): the test NAME, that the compiler refuses each case of refused.cpp of this folder, and says TEXT, and takes
# it without (tests/support/refused.py). Sanitizers change nothing about that.
function(windrow_refused name)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    return()
  endif()
  # Most of the work is to read headers: precompiled ones, as programs have them, take half of it away. Where they do not fit, or are not
  # built, g++ reads the text.
  set(headers)
  if(WINDROW_USUAL_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    separate_arguments(headers UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -fPIE -DGTEST_HAS_PTHREAD=1")
    list(APPEND headers -include ${PROJECT_BINARY_DIR}/CMakeFiles/windrow_usual_headers_of_programs.dir/cmake_pch.hxx)
  endif()
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/support/refused.py ${CMAKE_CURRENT_SOURCE_DIR}/refused.cpp ${ARGN}
                                -- ${CMAKE_CXX_COMPILER} ${headers} -std=c++20 -fsyntax-only -I${PROJECT_SOURCE_DIR}/include)
  set_tests_properties(${name} PROPERTIES TIMEOUT 240)
endfunction()
