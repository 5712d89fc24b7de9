# cmake -DOUTPUT=... -DNAMESPACE=... -DHEADER=... -DkName1=FILE1 ... -DNAMES=kName1;... -P EmbedText.cmake
# Writes a source that defines each name as a std::string_view of its file's text.
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
foreach(name IN LISTS NAMES)
  file(READ "${${name}}" content)
  string(APPEND text "const std::string_view ${name} = R\"embedded(${content})embedded\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}\n}  // namespace ${NAMESPACE}\n")
