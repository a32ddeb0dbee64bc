# Installation: the library, its headers, the `windrow` command, a CMake package (find_package(windrow) gives
# windrow::windrow) and a pkg-config file. The installed tree can be moved: everything is found relative to itself.
include(CMakePackageConfigHelpers)

set(windrow_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/windrow)
set(windrow_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS windrow EXPORT windrowTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES tools/gdb/windrow.py DESTINATION ${CMAKE_INSTALL_DATADIR}/windrow/gdb)
if(TARGET windrow_command)
  install(TARGETS windrow_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES tools/shell/windrow DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES tools/shell/windrow.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

install(EXPORT windrowTargets NAMESPACE windrow:: DESTINATION ${windrow_cmake_dir})
configure_package_config_file(cmake/windrowConfig.cmake.in windrowConfig.cmake INSTALL_DESTINATION ${windrow_cmake_dir}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may change the API.
write_basic_package_version_file(windrowConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/windrowConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/windrowConfigVersion.cmake
        DESTINATION ${windrow_cmake_dir})

file(RELATIVE_PATH windrow_prefix_from_pc /${windrow_pkgconfig_dir} /)
configure_file(cmake/windrow.pc.in windrow.pc @ONLY)
configure_file(cmake/oshmem.pc.in oshmem.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/windrow.pc ${CMAKE_CURRENT_BINARY_DIR}/oshmem.pc
        DESTINATION ${windrow_pkgconfig_dir})

# Packages: `cpack -G DEB` or `-G TGZ` in the build folder.
set(CPACK_PACKAGE_NAME windrow)
set(CPACK_PACKAGE_CONTACT "the Windrow developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # the library is for linking
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, libhwloc15, liblzma5, libzstd1, zlib1g")
include(CPack)
