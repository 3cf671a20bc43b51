# flex and bison for the front ends that use them. Generated code is not held to our warnings.
# front_grammar(OUT LANGUAGE GRAMMAR SCANNER): src/front/LANGUAGE/GRAMMAR and SCANNER.
function(front_grammar out language grammar scanner)
  set(dir ${CMAKE_BINARY_DIR}/generated/front/${language})
  file(MAKE_DIRECTORY ${dir})
  set(src ${CMAKE_SOURCE_DIR}/src/front/${language})
  bison_target(${language}_parser ${src}/${grammar} ${dir}/parser.c DEFINES_FILE ${dir}/parser.h
               COMPILE_FLAGS "-Wall -Wno-yacc")
  flex_target(${language}_lexer ${src}/${scanner} ${dir}/lexer.c DEFINES_FILE ${dir}/lexer.h)
  add_flex_bison_dependency(${language}_lexer ${language}_parser)
  set_source_files_properties(${dir}/parser.c ${dir}/lexer.c PROPERTIES COMPILE_OPTIONS "-Wno-error;-w")
  set(${out} ${dir}/parser.c ${dir}/lexer.c PARENT_SCOPE)
endfunction()
