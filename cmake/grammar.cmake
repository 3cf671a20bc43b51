# flex and bison for the front ends that use them. Generated code is not held to our warnings.
function(murphi_grammar out)
  set(dir ${CMAKE_BINARY_DIR}/generated/front/murphi)
  file(MAKE_DIRECTORY ${dir})
  set(src ${CMAKE_SOURCE_DIR}/src/front/murphi)
  if(EXISTS ${src}/murphi.y)
    bison_target(murphi_parser ${src}/murphi.y ${dir}/parser.c DEFINES_FILE ${dir}/parser.h
                 COMPILE_FLAGS "-Wall -Wno-yacc")
    flex_target(murphi_lexer ${src}/murphi.l ${dir}/lexer.c DEFINES_FILE ${dir}/lexer.h)
    add_flex_bison_dependency(murphi_lexer murphi_parser)
    set_source_files_properties(${dir}/parser.c ${dir}/lexer.c PROPERTIES COMPILE_OPTIONS
                                "-Wno-error;-w")
    set(${out} ${dir}/parser.c ${dir}/lexer.c PARENT_SCOPE)
  endif()
endfunction()
