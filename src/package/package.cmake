# SPDX-License-Identifier: MIT
#
# What is installed beside the libraries, and the package for Debian.

include(CMakePackageConfigHelpers)
set(package ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_CURRENT_BINARY_DIR}/package)

# ---- libraries and header: find_package(toolwire), pkg-config

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/toolwire)
install(TARGETS toolwire_static toolwire_shared EXPORT toolwire)
install(FILES include/toolwire.h fuzz/toolwire_mutator.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT toolwire NAMESPACE toolwire:: DESTINATION ${config}
  FILE toolwire-config.cmake)
# While 0.x, another minor version may be another interface.
write_basic_package_version_file(${made}/toolwire-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${made}/toolwire-config-version.cmake DESTINATION ${config})

# From the folder of toolwire.pc, so that the whole can be moved.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(${package}/toolwire.pc.in ${made}/toolwire.pc @ONLY)
install(FILES ${made}/toolwire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(NOT TARGET toolwire)
  return()
endif()

# ---- the command, its man pages and completions

install(TARGETS toolwire)
set(manual src/manual.sh)
add_custom_command(
  OUTPUT ${made}/toolwire.1 ${made}/toolwire.3
    ${made}/toolwire.bash ${made}/toolwire.zsh ${made}/toolwire.fish
  COMMAND sh ${manual} 1 $<TARGET_FILE:toolwire> > ${made}/toolwire.1
  COMMAND sh ${manual} 3 include/toolwire.h > ${made}/toolwire.3
  COMMAND toolwire completion bash -o ${made}/toolwire.bash
  COMMAND toolwire completion zsh -o ${made}/toolwire.zsh
  COMMAND toolwire completion fish -o ${made}/toolwire.fish
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  DEPENDS toolwire ${manual} include/toolwire.h
  COMMENT "man pages and completions")
# Needs the command to run here; a cross build goes without.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()
add_custom_target(documents ALL DEPENDS ${made}/toolwire.1)
install(FILES ${made}/toolwire.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/toolwire.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(FILES ${made}/toolwire.bash RENAME toolwire
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/toolwire.zsh RENAME _toolwire
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/toolwire.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# ---- Debian: cpack -G DEB

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME toolwire)
set(CPACK_PACKAGE_CONTACT
  "The toolwire authors <maintainers@users.noreply.toolwire.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${command_depends}")
file(WRITE ${made}/triggers "activate-noawait ldconfig\n")
file(WRITE ${made}/shlibs
  "libtoolwire ${toolwire_interface} toolwire (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${made}/triggers ${made}/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  # The versions that its symbols need.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "")
endif()
set(CPACK_PACKAGE_DESCRIPTION
  "Decodes what language models write when they call tools (Gemma 4,
Harmony, Hermes and Qwen, Nemotron, Mistral) into OpenAI JSON while it
streams, and encodes OpenAI conversations into the prompt text that each
model was trained on.
.
This package holds the command, the library, shared and static, and its
header.")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_TOOLWIRE_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${package}/debian.cmake)
include(CPack)
