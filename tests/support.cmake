# SPDX-License-Identifier: MIT
#
# What the programs of tests/ and fuzz/ stand on, compiled once for all of
# them: support/ and the second opinions of naive/.

file(GLOB support CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/support/*.c ${CMAKE_CURRENT_LIST_DIR}/naive/*.c)
add_library(toolwire_support STATIC EXCLUDE_FROM_ALL ${support})
target_compile_options(toolwire_support PRIVATE ${warnings})
target_include_directories(toolwire_support
  PUBLIC ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/src)
target_link_libraries(toolwire_support PUBLIC toolwire_static)
set_target_properties(toolwire_support PROPERTIES
  C_STANDARD 11 C_STANDARD_REQUIRED ON)
