# SPDX-License-Identifier: MIT
#
# `make bench`: built only when asked for, since it needs other libraries to
# measure beside.

set(bench_missing)
function(bench_library variable package header)
  find_path(${variable}_INCLUDE ${header})
  find_library(${variable}_LIBRARY ${ARGN})
  if(NOT ${variable}_INCLUDE OR NOT ${variable}_LIBRARY)
    set(bench_missing ${bench_missing} ${package} PARENT_SCOPE)
  endif()
  mark_as_advanced(${variable}_INCLUDE ${variable}_LIBRARY)
endfunction()

bench_library(JSON_C libjson-c-dev json-c/json.h json-c)
bench_library(JANSSON libjansson-dev jansson.h jansson)
bench_library(SIMDJSON libsimdjson-dev simdjson.h simdjson)
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  list(APPEND bench_missing g++)
endif()

if(bench_missing)
  list(JOIN bench_missing " " bench_missing)
  message(STATUS "No target bench.  Missing are, by Debian's names: ${bench_missing}")
  add_custom_target(bench
    COMMAND ${CMAKE_COMMAND} -E echo
      "bench cannot be built.  Missing are, by Debian's names: ${bench_missing}"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

enable_language(CXX)
toolwire_program(bench bench/main.c bench/measure.c bench/decode.c
  bench/peers.c bench/peer_jansson.c bench/nothing.c bench/encode.c bench/requests.c
  bench/command.c bench/hold.c bench/instructions.c bench/table.c
  bench/goals.c ${workloads})
set_target_properties(bench PROPERTIES EXCLUDE_FROM_ALL ON)
add_library(bench_simdjson OBJECT EXCLUDE_FROM_ALL bench/peer_simdjson.cpp)
set_target_properties(bench_simdjson PROPERTIES CXX_STANDARD 17)
target_include_directories(bench_simdjson PRIVATE ${SIMDJSON_INCLUDE})
target_sources(bench PRIVATE $<TARGET_OBJECTS:bench_simdjson>)
target_include_directories(bench PRIVATE ${JSON_C_INCLUDE} ${JANSSON_INCLUDE})
target_link_libraries(bench PRIVATE ${JSON_C_LIBRARY} ${JANSSON_LIBRARY}
  ${SIMDJSON_LIBRARY} m)
target_compile_definitions(bench PRIVATE
  BENCH_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/bench"
  HOSTILE_FILE="${CMAKE_CURRENT_SOURCE_DIR}/hostile.txt"
  TOOLWIRE="$<TARGET_FILE:toolwire>"
  COUNT="$<TARGET_FILE:count>")
add_dependencies(bench toolwire count)
