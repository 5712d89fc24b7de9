#include "server/config_topics.h"

namespace cuzk::server {

namespace {

using Topics = std::vector<ConfigTopic>;

Topics daemon_topics() {
  return {
      {{"daemon.listen"},
       "Where gRPC listens: unix:///path or host:port, several with commas. A TCP address needs [tls], or "
       "insecure = true."},
      {{"daemon.status_listen", "daemon.status_public"},
       "Where HTTP listens, the same way; empty: nowhere. It answers /status (JSON for dashboards), /metrics "
       "(Prometheus), /trace/JOB (a job's stages for chrome://tracing), /healthz and /readyz (orchestrators; "
       "/readyz/window-post for one kind). Plain and without authentication, so an address that other machines "
       "reach is refused unless status_public says that it may be."},
      {{"daemon.insecure"},
       "Permits TCP without TLS, or TLS without client_ca and token_file: whoever reaches the address can use "
       "the daemon. The log warns of it."},
      {{"daemon.socket_mode", "daemon.socket_owner", "daemon.socket_group"},
       "Who may connect to unix sockets: mode in octal, names of a user and a group (empty: those of the "
       "process)."},
      {{"daemon.max_message_size"},
       "Largest message in either direction. A non-interactive PoRep of 32 GiB takes about 640 MB."},
      {{"daemon.keepalive_time", "daemon.keepalive_timeout"},
       "A client that has been silent for this long is asked whether it is there, and has so long to answer."},
  };
}

Topics tls_topics() {
  return {
      {{"tls.certificate", "tls.key"},
       "The daemon's certificate (with the chain above it) and its private key, in PEM. Given both, every TCP "
       "address has TLS."},
      {{"tls.client_ca"}, "Clients must show a certificate that this authority signed (mutual TLS)."},
      {{"tls.client_crls"},
       "A folder of lists, in PEM, of the certificates that authorities have revoked: who shows one of those is turned "
       "away. openssl rehash FOLDER gives the lists the names by which they are found. A list whose time is up turns "
       "everybody away whose authority it is of."},
      {{"tls.token_file"},
       "Clients must send one of the tokens in this file (\"authorization: Bearer TOKEN\"): one a line, 16 "
       "characters at least, lines that begin with # are left out. Keep it readable by the daemon alone."},
      {{"tls.reload_interval"},
       "How often certificate, key and client_ca are looked at; a changed file is taken without a restart."},
  };
}

Topics proving_topics() {
  return {
      {{"srs.param_cache"},
       "Directory of the .params files. Its default is FIL_PROOFS_PARAMETER_CACHE where that is set.",
       "\"/var/tmp/filecoin-proof-parameters\""},
      {{"srs.digests"},
       "The digest of a .params file is compared with the one in parameters.json, where that lies beside it, "
       "else with the network's. It is computed once and remembered in this directory as long as size, time and "
       "inode of the file stay the same; \"off\": computed at each loading. Its default is cuzk/digests in the "
       "cache of the user.",
       "\"off\""},
      {{"srs.warm_budget"},
       "While a job waits for a key that no device has, its file is read into the page cache, ahead of its use: "
       "so many bytes of files at most (\"auto\": a quarter of the machine's memory; 0: none). Files that were "
       "not used for long give way to others. The system takes the memory back as it needs it."},
      {{"srs.preload"},
       "Keys to load at the start, by circuit: [\"porep-32g\", \"wpost-32g\", \"winning-32g\", \"snap-32g\"]."},
      {{"gpus.devices"},
       "What proves: GPUs by CUDA's number, as 0 or \"cuda:0\", [\"cpu\"], or \"auto\" ([]): all GPUs, the processor "
       "where there is none. A GPU that does not compute as it should is left out. Partitions go to all devices "
       "that have their key; what runs on a GPU that is lost runs again on the others, and on the processor "
       "once none is left."},
      {{"gpus.memory"},
       "Memory to use of each GPU, for keys and proofs: a size, or \"auto\" for nine tenths of what is free at "
       "the start."},
      {{"circuits.cache"},
       "Directory of compiled circuits, or \"off\". Its default is CUZK_CIRCUITS where that is set, else "
       "cuzk/circuits in the cache of the user.",
       "\"off\""},
      {{"synthesis.threads"}, "Threads for all work of the processor; 0: all processors of the process."},
  };
}

Topics jobs_topics() {
  return {
      {{"jobs.max_queued", "jobs.max_queued_size"},
       "Jobs of each kind that wait, and the size of all their inputs (of one kind three quarters of it; a "
       "sixteenth is kept for CRITICAL); beyond it a request is refused with RESOURCE_EXHAUSTED."},
      {{"jobs.journal"},
       "Directory where jobs and results are written down before they are told, so that neither a crash nor a "
       "restart loses any. Its default is journal in the directory of state that systemd gives a service; "
       "empty: jobs are kept in memory alone.",
       "\"\""},
      {{"jobs.keep_count", "jobs.keep_size", "jobs.keep_time"},
       "Finished jobs that are remembered: how many, how much of them, how long."},
      {{"jobs.keep_traces"},
       "Of so many jobs that have ended last the spans of all stages are kept (about 100 bytes each, 11 for a "
       "partition), for /trace/JOB and `cuzk trace JOB`."},
  };
}

Topics farm_topics() {
  return {
      {{"farm.postgres"},
       "Daemons that name the same PostgreSQL share one queue (docs/farm.md): any accepts a job, any idle one proves "
       "it. A connection string or URI; empty: no farm. The password belongs in a file of libpq (PGPASSFILE, or "
       "passfile=/etc/cuzk/pgpass here); where it stands in this text all the same it is never shown. jobs.journal has "
       "no effect then."},
      {{"farm.name"}, "What status answers call this daemon; empty: the machine's name."},
      {{"farm.objects", "farm.inline_input", "farm.max_input"},
       "Directory that all machines mount (NFS, CephFS, a mounted bucket) for inputs larger than inline_input, which "
       "lie in the database; empty: those are refused. Nothing above max_input is taken."},
      {{"farm.jobs_at_once"},
       "Jobs that this daemon holds of each device, beside CRITICAL ones; 0: two, so that the next is read while one "
       "is proved."},
      {{"farm.machines_a_job"},
       "The partitions of one proof are shared by so many machines at most, where no other job waits and those have "
       "nothing to do; 1: a proof is one machine's."},
      {{"farm.lease", "farm.heartbeat", "farm.poll"},
       "A daemon says every heartbeat that it lives; one that was not seen for the time of a lease loses what it holds "
       "to others. An idle one looks for work every poll, should it not have been woken."},
      {{"farm.key_grace"}, "So long a job is left to daemons that hold its key before others load it."},
      {{"farm.max_attempts"},
       "After so many attempts that came to nothing (daemons that died, machines that could not) a job has failed."},
      {{"farm.keep_results", "farm.keep_unfetched", "farm.keep_inputs"},
       "Results are kept so long after their end, those that nobody has fetched longer, inputs so long after their "
       "last job."},
  };
}

Topics scheduler_topics() {
  return {
      {{"memory.total_budget", "memory.safety_margin"},
       "Of keys, proofs, witnesses and what was read of requests: a size, or \"auto\" for the machine's memory "
       "(or its control group's) less safety_margin, at least half of it. A request that can never fit is "
       "refused at once."},
      {{"memory.keep_pages", "memory.keep_pages_idle"},
       "Memory of witnesses and proofs that have ended is kept for the next, as new pages take seconds a "
       "gigabyte in a virtual machine: so much of total_budget, at most an eighth of it. It goes back to the "
       "system when there has been no job for keep_pages_idle."},
      {{"scheduler.max_batch_size", "scheduler.max_batch_wait_ms"},
       "Partitions of one circuit that a device takes together, and how long they wait for each other while it "
       "has other work."},
      {{"scheduler.sort_by_type"},
       "Where keys must take turns on a device: the jobs of a key that is there go first, as long as nobody "
       "waits too long."},
  };
}

Topics log_topics() {
  return {
      {{"logging.level"}, "trace, debug, info, warn, error or off."},
      {{"logging.format"},
       "text for people, json for machines (one object a line), journald for systemd (priority in front, no "
       "time). To standard error."},
      {{"logging.modules"},
       "Modules that have another level: engine, keys, cuda, server, rpc, http. Such as { rpc = \"warn\", engine "
       "= \"debug\" }."},
  };
}

}  // namespace

const std::vector<ConfigTopic>& config_topics() {
  static const Topics all = [] {
    Topics topics;
    for (const auto& group : {daemon_topics(), tls_topics(), proving_topics(), jobs_topics(), farm_topics(),
                              scheduler_topics(), log_topics()})
      topics.insert(topics.end(), group.begin(), group.end());
    return topics;
  }();
  return all;
}

}  // namespace cuzk::server
