# Texts that the program carries with it: HTML pages are made without a network and without files beside the program.

# wavesim_texts(HEADER NAME FILE ...): generated/HEADER with one string constant NAME for each FILE; where FILE is none, "".
function(wavesim_texts header)
  set(code "#pragma once\n// Written by CMake, from files of output/pages and of packages.\nnamespace wavesim::page {\n")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest name file)
    set(text "")
    if(EXISTS "${file}")
      file(READ "${file}" text)
      if(text MATCHES "\\)wavesim\"")
        message(FATAL_ERROR "${file} holds the end of a C++ raw string, )wavesim\"")
      endif()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    endif()
    string(APPEND code "inline constexpr const char* ${name} = R\"wavesim(${text})wavesim\";\n")
  endwhile()
  string(APPEND code "}  // namespace wavesim::page\n")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${header} CONTENT "@code@" @ONLY)
endfunction()

# The plots of `wavesim study`'s page: Chart.js 3 or 4, from Debian's and Ubuntu's libjs-chart.js.
find_file(WAVESIM_CHART_JS NAMES chart.min.js chart.umd.js
          PATHS /usr/share/javascript/chart.js /usr/local/share/javascript/chart.js NO_DEFAULT_PATH
          DOC "Chart.js for the plots of HTML pages, as one script (empty: pages with tables alone)")
set(chart_js none)
if(WAVESIM_CHART_JS AND EXISTS "${WAVESIM_CHART_JS}")
  file(READ "${WAVESIM_CHART_JS}" script)
  string(SUBSTRING "${script}" 0 200 banner)
  string(TOLOWER "${script}" lower)
  string(FIND "${lower}" "</script" ends)    # would end the element that the script stands in
  string(FIND "${lower}" "<!--" comments)
  if(banner MATCHES "Chart\\.js v[34]\\." AND ends EQUAL -1 AND comments EQUAL -1)
    set(chart_js "${WAVESIM_CHART_JS}")
  else()
    message(STATUS "${WAVESIM_CHART_JS} is not Chart.js 3 or 4 as one script: pages get tables and no plots")
  endif()
else()
  message(STATUS "Chart.js not found (Debian, Ubuntu: libjs-chart.js): the pages of wavesim study get tables and no plots")
endif()
set(pages ${CMAKE_SOURCE_DIR}/output/pages)
wavesim_texts(study_page_texts.hpp study_style ${pages}/study.css study_script ${pages}/study.js
              chart_library "${chart_js}" chart_licence ${pages}/chart.licence.txt)
