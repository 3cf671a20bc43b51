# The version, and what `cmake --install` puts where: the program, the headers that compiled models
# include, the manual page and the shell completions. The last three come out of the program itself,
# whose tables they are made from.
include(GNUInstallDirs)

target_compile_definitions(fathom PRIVATE FATHOM_VERSION="${PROJECT_VERSION}")

set(generated ${CMAKE_BINARY_DIR}/generated/install)
file(MAKE_DIRECTORY ${generated})
foreach(what man:fathom.1 bash:fathom.bash zsh:_fathom)
  string(REPLACE ":" ";" pair ${what})
  list(GET pair 0 kind)
  list(GET pair 1 file)
  add_custom_command(OUTPUT ${generated}/${file}
                     COMMAND fathom help --${kind} > ${generated}/${file}
                     DEPENDS fathom VERBATIM)
  list(APPEND generated_files ${generated}/${file})
endforeach()
add_custom_target(fathom_manual ALL DEPENDS ${generated_files})

install(TARGETS fathom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fathom
        FILES_MATCHING PATTERN "*.h")
install(FILES ${generated}/fathom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/fathom.bash RENAME fathom
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_fathom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
