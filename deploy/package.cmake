# What `cmake --install` puts where, and the Debian packages that `cpack` makes of it:
#
#   cmake --preset release && cmake --build build/release --target repathd repath repath_client
#   (cd build/release && cpack -G DEB)      # repath-server, repath-cli and repath-dev in build/release/packages
#
# repath-server has the server, its service, user, settings and maps. repath-cli has the command. repath-dev has the C++
# client library and the .proto files.
set(from ${CMAKE_SOURCE_DIR}/deploy/debian)

install(TARGETS repathd DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT server)
install(TARGETS repath DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cli)
install(DIRECTORY deploy/maps DESTINATION ${CMAKE_INSTALL_DATADIR}/repath COMPONENT server)
install(DIRECTORY proto/repath proto/google DESTINATION ${CMAKE_INSTALL_DATADIR}/repath/proto COMPONENT client
  FILES_MATCHING PATTERN *.proto)
# The pages lie as in the source, so that the links between them lead somewhere.
install(FILES README.md deploy/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/repath-server COMPONENT server)
install(DIRECTORY server/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/repath-server/server COMPONENT server
  FILES_MATCHING PATTERN *.md)
install(FILES ${from}/repathd.service DESTINATION lib/systemd/system COMPONENT server)
install(FILES ${from}/repath.sysusers DESTINATION lib/sysusers.d RENAME repath.conf COMPONENT server)

# What every package of Debian has: who may copy it, and what changed.
find_program(GZIP gzip REQUIRED)
set(changelog ${CMAKE_BINARY_DIR}/changelog.gz)
configure_file(${from}/changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_BINARY_DIR}/changelog OUTPUT_FILE ${changelog} COMMAND_ERROR_IS_FATAL ANY)
foreach(pair server=repath-server cli=repath-cli client=repath-dev)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${from}/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME repath)
set(CPACK_PACKAGE_CONTACT "Repath maintainers <maintainers@repath.invalid>")
set(CPACK_PACKAGE_HOMEPAGE_URL "https://github.com/repath/repath")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server cli client)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME repath-server)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME repath-cli)
set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME repath-dev)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION net)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CLIENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_CLIENT_PACKAGE_DEPENDS "libgrpc++-dev, libprotobuf-dev, libssl-dev")
set(CPACK_COMPONENT_SERVER_DESCRIPTION "pathfinding server for game worlds that change
Keeps worlds and moving agents of game servers, and tells each agent what a
change of its world did to its path.")
set(CPACK_COMPONENT_CLI_DESCRIPTION "command line of the pathfinding server Repath
Makes and changes worlds, asks for paths, watches verdicts and checks a server
from outside.")
set(CPACK_COMPONENT_CLIENT_DESCRIPTION "C++ client library of the pathfinding server Repath
Static library, headers, CMake package, and the .proto files for clients in
other languages.")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${from}/postinst ${from}/prerm ${from}/postrm ${from}/conffiles)
install(FILES ${from}/repathd.conf DESTINATION /etc/repath COMPONENT server)
include(CPack)
