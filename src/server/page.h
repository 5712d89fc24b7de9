/// The page that people open in a browser: one file that is part of the program (web/), and what it is told.
///
///   /            the page
///   /events      what it shows, as server-sent events (event_stream.h)
///   /page.json   the same, once
///
/// Nothing here changes anything, and no page of another server may read it in a browser. The page may load nothing, and
/// run and be styled by nothing but what is in it: its policy names the digests of that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/event_stream.h"
#include "server/http_server.h"

namespace cuzk::server {

/// Who may look at a time, at each address.
inline constexpr std::size_t kMostViewers = 16;

/// The file, as it was built into the program.
std::string_view page_html();

/// The Content-Security-Policy of a page: its own scripts and styles, by their digests, and its own server's events.
std::string policy_of(std::string_view html);

/// The events must outlive the routes.
std::vector<HttpRoute> page_routes(EventStream& events);
std::vector<HttpStream> page_streams(EventStream& events);

}  // namespace cuzk::server
