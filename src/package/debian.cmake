# SPDX-License-Identifier: MIT
#
# Before cpack makes the .deb: what Debian wants beside what is installed
# everywhere, and man pages compressed.

set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(folder ${root}/doc/toolwire)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

file(READ ${CPACK_TOOLWIRE_SOURCE}/LICENSE licence)
file(WRITE ${folder}/copyright
  "This is toolwire, packaged by its own build system.\n\n${licence}")
file(READ ${CPACK_TOOLWIRE_SOURCE}/docs/changes.md changes)
file(WRITE ${folder}/changelog "${changes}")
file(WRITE ${folder}/changelog.Debian
  "toolwire (${CPACK_PACKAGE_VERSION}-1) unstable; urgency=low\n\n"
  "  * See changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(
  COMMAND gzip -9nf ${folder}/changelog ${folder}/changelog.Debian
    ${root}/man/man1/toolwire.1 ${root}/man/man3/toolwire.3
  COMMAND_ERROR_IS_FATAL ANY)
