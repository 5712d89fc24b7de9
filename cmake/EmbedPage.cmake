# Writes OUTPUT, a source file that holds the text of FILE: cmake -DFILE=... -DOUTPUT=... -P EmbedPage.cmake
# A literal may have 64 KiB where compilers are strict, so that the text is told by its bytes.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made of web/dist/index.html.
#include \"server/page.h\"

namespace cuzk::server {

namespace {
constexpr unsigned char kPage[] = {\n${bytes}};
}

std::string_view page_html() { return {reinterpret_cast<const char*>(kPage), sizeof(kPage)}; }

}  // namespace cuzk::server
")
