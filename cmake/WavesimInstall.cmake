# What `cmake --install` puts where: the program, its man page and completions, configs to start from, and their licences.

set(WAVESIM_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
    "Folder for zsh's completion; Debian's packages have share/zsh/vendor-completions")

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS wavesim)

# The program itself writes them when it is installed, so that no target but wavesim has to be built for them.
set(texts ${CMAKE_BINARY_DIR}/installed_texts)
install(CODE "set(WAVESIM_PROGRAM \"$<TARGET_FILE:wavesim>\")\nset(WAVESIM_TEXTS \"${texts}\")")
install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/write_installed_texts.cmake)
install(FILES ${texts}/wavesim.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME wavesim)
install(FILES ${texts}/completion.zsh DESTINATION ${WAVESIM_ZSH_COMPLETIONS} RENAME _wavesim)
install(FILES ${texts}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME wavesim.fish)

file(GLOB configs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/*.yaml)
list(FILTER configs EXCLUDE REGEX "/(gulf|marmousi|marmousi_study)\\.yaml$")  # need files that are not in the tree
install(FILES ${configs} ${CMAKE_SOURCE_DIR}/configs/schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/wavesim/configs)

# The documents with all that they link to, in the folders that they have here.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.svg PATTERN figure_tables EXCLUDE)
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench FILES_MATCHING PATTERN *.md PATTERN *.txt)
file(RELATIVE_PATH configs_from_documents ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/wavesim/configs)
file(MAKE_DIRECTORY ${texts})
file(CREATE_LINK ${configs_from_documents} ${texts}/configs SYMBOLIC)
install(FILES ${texts}/configs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# What other libraries' headers and scripts put into the program. Debian keeps their licences beside them.
foreach(package libcli11-dev libeigen3-dev libjs-chart.js)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences RENAME ${package} OPTIONAL)
endforeach()
