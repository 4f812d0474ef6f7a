# Puts files into the program as they are: the console as built, style and script of the reference, and the descriptors.
# Writes an assembly file that includes their bytes, and embedded_files(), which lists them.
set(console ${CMAKE_SOURCE_DIR}/client/console/dist)
set(docs ${CMAKE_CURRENT_SOURCE_DIR}/gateway/docs)
file(GLOB_RECURSE console_files CONFIGURE_DEPENDS RELATIVE ${console} ${console}/*)
file(GLOB docs_files CONFIGURE_DEPENDS RELATIVE ${docs} ${docs}/*)
list(TRANSFORM console_files REPLACE "^(.+)$" "console/\\1=${console}/\\1")
list(TRANSFORM docs_files REPLACE "^(.+)$" "docs/\\1=${docs}/\\1")

set(assembly "    .section .rodata\n")
set(declared "")
set(listed "")
set(paths "")
set(number 0)
foreach(entry IN LISTS console_files docs_files ITEMS "api.pb=${REPATH_DESCRIPTORS}")
  string(REPLACE "=" ";" entry "${entry}")
  list(GET entry 0 name)
  list(GET entry 1 path)
  list(APPEND paths ${path})
  string(APPEND assembly "    .global repath_file_${number}, repath_file_${number}_end\n"
    "repath_file_${number}:\n    .incbin \"${path}\"\nrepath_file_${number}_end:\n")
  string(APPEND declared "extern const char repath_file_${number}[], repath_file_${number}_end[];\n")
  string(APPEND listed "      {\"${name}\", {repath_file_${number}, std::size_t(repath_file_${number}_end - repath_file_${number})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")

set(made ${CMAKE_CURRENT_BINARY_DIR}/embedded)
file(CONFIGURE OUTPUT ${made}/files.S CONTENT "${assembly}" @ONLY)
file(CONFIGURE OUTPUT ${made}/embedded_files.cc CONTENT "#include \"gateway/embedded.h\"

extern \"C\" {
${declared}}

const std::vector<repath::EmbeddedFile>& repath::embedded_files() {
  static const std::vector<EmbeddedFile> kFiles{
${listed}  };
  return kFiles;
}
" @ONLY)
target_sources(repath_gateway PRIVATE ${made}/files.S ${made}/embedded_files.cc)
set_source_files_properties(${made}/files.S PROPERTIES OBJECT_DEPENDS "${paths}")
add_dependencies(repath_gateway repath_descriptors)
