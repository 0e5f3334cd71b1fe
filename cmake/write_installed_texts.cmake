# The man page and the completions, as WAVESIM_PROGRAM writes them, in the folder WAVESIM_TEXTS.

function(write_text name)
  execute_process(COMMAND ${WAVESIM_PROGRAM} ${ARGN} OUTPUT_FILE ${WAVESIM_TEXTS}/${name} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "'${WAVESIM_PROGRAM} ${ARGN}' ended with ${status}: build the target wavesim for this machine first")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WAVESIM_TEXTS})
foreach(shell bash zsh fish)
  write_text(completion.${shell} completion ${shell})
endforeach()
write_text(wavesim.1 man)
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9 -n -f ${WAVESIM_TEXTS}/wavesim.1 COMMAND_ERROR_IS_FATAL ANY)
