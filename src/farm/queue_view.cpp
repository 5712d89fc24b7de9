#include <array>

#include "farm/queue_connection.h"
#include "farm/queue_rows.h"

namespace cuzk::farm {

namespace {

const char* const kDaemons =
    "select name, session, (extract(epoch from now() - since) * 1000)::bigint as up,"
    " (extract(epoch from now() - seen) * 1000)::bigint as unseen, room, urgent_room, held,"
    " (select count(*) from cuzk.job where state = 'leased' and job.daemon = daemon.session) as leases "
    "from cuzk.daemon where seen > now() - $1::bigint * interval '1 ms' order by name, since";

const char* const kLines =
    "select kind, priority, count(*) filter (where state = 'queued') as queued,"
    " count(*) filter (where state = 'leased') as leased, sum(input_bytes) as bytes,"
    " (extract(epoch from now() - min(accepted) filter (where state = 'queued')) * 1000)::bigint as oldest "
    "from cuzk.job where state in ('queued', 'leased') group by kind, priority order by priority desc, kind";

const char* const kLeases =
    "select id, kind, priority, daemon_name, lease, attempts, (extract(epoch from now() - leased) * 1000)::bigint as "
    "held "
    "from cuzk.job where state = 'leased' order by leased limit 1000";

const char* const kEnds =
    "select count(*) filter (where state = 'completed'), count(*) filter (where state = 'failed'),"
    " count(*) filter (where state = 'cancelled'), count(*) filter (where state = 'timed_out'),"
    " count(*) filter (where fetched is null) from cuzk.job where ended is not null and parent is null";

const char* const kInputs = "select count(*), coalesce(sum(octet_length(bytes)), 0) from cuzk.input";

std::string priority_word(const pqxx::field& number) {
  constexpr std::array kWords{"low", "normal", "high", "critical"};
  return kWords.at(number.as<std::size_t>());
}

FarmView::Daemon daemon_of(const pqxx::row& row) {
  return {row["name"].c_str(),     row["session"].c_str(), time_of(row["up"]),           time_of(row["unseen"]),
          row["leases"].as<u32>(), row["room"].as<u32>(),  row["urgent_room"].as<u32>(), words_of(row["held"])};
}

FarmView::LeaseLine lease_of(const pqxx::row& row) {
  return {row["id"].c_str(),          row["kind"].c_str(),    priority_word(row["priority"]),
          row["daemon_name"].c_str(), row["lease"].as<u64>(), row["attempts"].as<u32>(),
          time_of(row["held"])};
}

}  // namespace

FarmView FarmQueue::view() {
  return with_connection([&](Connection& database) {
    FarmView view;
    for (const auto& row : database.run("farm.view.daemons", kDaemons, ms(options_.lease)))
      view.daemons.push_back(daemon_of(row));
    for (const auto& row : database.run("farm.view.lines", kLines)) {
      view.queue.push_back({row["kind"].c_str(), priority_word(row["priority"]), row["queued"].as<u64>(),
                            row["leased"].as<u64>(), row["bytes"].as<u64>(), time_of(row["oldest"])});
    }
    for (const auto& row : database.run("farm.view.leases", kLeases)) view.leases.push_back(lease_of(row));
    const auto ends = database.run("farm.view.ends", kEnds)[0];
    view.completed = ends[0].as<u64>();
    view.failed = ends[1].as<u64>();
    view.cancelled = ends[2].as<u64>();
    view.timed_out = ends[3].as<u64>();
    view.unfetched = ends[4].as<u64>();
    const auto inputs = database.run("farm.view.inputs", kInputs)[0];
    view.inputs = inputs[0].as<u64>();
    view.input_bytes = inputs[1].as<u64>();
    return view;
  });
}

std::string FarmQueue::describe() {
  return with_connection([&](Connection& database) {
    const auto row = database.run("farm.describe",
                                  "select current_setting('server_version'), to_regclass('cuzk.farm') is not null,"
                                  " has_database_privilege(current_database(), 'CREATE'), pg_is_in_recovery()")[0];
    if (row[3].as<bool>())
      throw Error(Code::unavailable, "the farm's database: the server is a standby, which takes no jobs");
    const bool is_made = row[1].as<bool>();
    if (!is_made && !row[2].as<bool>())
      throw Error(
          Code::unavailable,
          "the farm's database: it has no tables yet, and this user may not make them (GRANT CREATE ON DATABASE)");
    return fmt::format("PostgreSQL {}, {}", row[0].c_str(), is_made ? "with its tables" : "tables will be made");
  });
}

}  // namespace cuzk::farm
