# libcuzk-core: the rooms up to the farm and what an engine proves with, once for cuzk, cuzk-bench and libcuzk, which would
# each carry the code of GPUs otherwise (ADR 029). Private: its name holds the version, and no header goes with it. Tests link
# the rooms themselves; with sanitizers the programs do too.
if(CUZK_SANITIZE)
  return()
endif()
set(rooms ${CUZK_ROOMS})
list(REMOVE_ITEM rooms server)  # gRPC is not for who has cuzk in process
list(TRANSFORM rooms PREPEND cuzk_)
list(APPEND rooms cuzk_provers)
set(objects)
set(parts)
foreach(room IN LISTS rooms)
  if(TARGET ${room})
    list(APPEND parts ${room})
    get_target_property(type ${room} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:${room}>)
    endif()
  endif()
endforeach()

set(map ${CMAKE_SOURCE_DIR}/cmake/core.map)
add_library(cuzk_core SHARED ${objects})
set_target_properties(cuzk_core PROPERTIES OUTPUT_NAME cuzk-core LINKER_LANGUAGE CXX LINK_DEPENDS ${map}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# Who takes the rooms from it names it before their archives, which then have nothing to add.
# The archives bring the libraries of others; of themselves nothing is left to take.
target_link_libraries(cuzk_core PRIVATE ${parts})
# Calls within it stay within it. What other threads of its may still run when a program unloads it, stays.
target_link_options(cuzk_core PRIVATE LINKER:--version-script=${map} LINKER:-Bsymbolic-functions LINKER:--as-needed
  LINKER:--no-undefined LINKER:-z,nodelete)
