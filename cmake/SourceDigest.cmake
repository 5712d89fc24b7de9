# cmake -DROOT=... -DOUTPUT=... -P SourceDigest.cmake
# Writes the definition of kCircuitSources: SHA-256 of the text of all rooms that decide what a circuit is.
file(GLOB_RECURSE files RELATIVE ${ROOT}
  ${ROOT}/src/field/*.h ${ROOT}/src/field/*.cpp ${ROOT}/src/hash/*.h ${ROOT}/src/hash/*.cpp
  ${ROOT}/src/r1cs/*.h ${ROOT}/src/r1cs/*.cpp ${ROOT}/src/gadgets/*.h ${ROOT}/src/gadgets/*.cpp
  ${ROOT}/src/filecoin/*.h ${ROOT}/src/filecoin/*.cpp)
list(SORT files)
set(text "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND text "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${text}")
file(WRITE ${OUTPUT} "#include \"engine/statements/circuit_cache.h\"\n\nconst char* const cuzk::engine::kCircuitSources = \"${digest}\";\n")
