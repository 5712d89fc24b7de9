#include "farm/schema.h"

namespace cuzk::farm {

// Who may change which state: docs/adr/025. Times are those of the database alone.
const char* const kSchemaText = R"sql(
create schema cuzk;

create table cuzk.farm (version int not null, swept timestamptz not null default now());
insert into cuzk.farm values (2);

-- A process that is alive, by its session: leases belong to it.
create table cuzk.daemon (
  session text primary key,
  name text not null,
  since timestamptz not null default now(),
  seen timestamptz not null default now(),
  room int not null,         -- jobs that it would take
  urgent_room int not null,  -- of priority CRITICAL
  held text[] not null       -- circuits whose keys its devices have
) with (fillfactor = 50);

create table cuzk.input (
  digest bytea primary key,
  used timestamptz not null default now(),
  bytes bytea  -- null: a file of the object directory
);
alter table cuzk.input alter column bytes set storage external;

create table cuzk.job (
  id text primary key,
  seq bigint not null generated always as identity,
  identity bytea not null,  -- of request id and input together
  request_id text not null,
  digest bytea not null,
  kind text not null,
  circuit text not null,  -- whose key it needs, as far as the request says; '' where it does not
  priority int not null check (priority between 0 and 3),
  state text not null
    check (state in ('queued', 'leased', 'shared', 'completed', 'failed', 'cancelled', 'timed_out')),
  parent text references cuzk.job on delete cascade,  -- of a part: the job whose partitions are shared by machines
  first_partition int not null default 0,
  partitions int not null default 1,  -- of a part; of a job as far as the request says
  deadline timestamptz not null default 'infinity',
  input_bytes bigint not null,
  acceptor text not null,  -- session that is told of its end
  accepted timestamptz not null default now(),
  queued timestamptz not null default now(),
  lease bigint not null default 0,  -- how often it was claimed: the number of the last lease
  daemon text,                      -- session that has that lease
  daemon_name text,
  leased timestamptz,
  attempts int not null default 0,
  reasons text[] not null default '{}',
  passed_over text,  -- session that could not, and until when it is not asked again
  passed_until timestamptz,
  kept_for text,  -- of a part: the session that is woken for it, and until when nobody else takes it
  kept_until timestamptz,
  ended timestamptz,
  fetched timestamptz,
  code text,
  message text,
  proof bytea,
  timings bigint[],  -- ms: queued, key, synthesis, device
  stages bytea
) with (fillfactor = 70);
alter table cuzk.job alter column proof set storage external;

create unique index job_identity on cuzk.job (identity) where state in ('queued', 'leased', 'shared', 'completed');
create index job_parent on cuzk.job (parent) where parent is not null;
create index job_order on cuzk.job (priority, deadline, seq) where state = 'queued';
create index job_circuit on cuzk.job (circuit, priority, deadline, seq) where state = 'queued';
create index job_lease on cuzk.job (daemon) where state = 'leased';
create index job_digest on cuzk.job (digest) where state in ('queued', 'leased');
create index job_ended on cuzk.job (ended) where ended is not null;

-- Tells one idle daemon that there is work, or three where it is urgent; by preference one that has the key.
create function cuzk.wake(p_circuit text, p_priority int, p_alive interval) returns void language sql as $$
  select pg_notify('cuzk_' || chosen.session, 'w') from (
    select session from cuzk.daemon
    where seen > now() - p_alive and (room > 0 or (p_priority = 3 and urgent_room > 0))
    order by p_circuit = any (held) desc, random()
    limit case when p_priority = 3 then 3 else 1 end) chosen
$$;

-- The circuits of jobs that wait: one look at the index for each.
create function cuzk.waiting_circuits() returns setof text language sql stable as $$
  with recursive each as (
    (select circuit from cuzk.job where state = 'queued' order by circuit limit 1)
    union all
    select (select circuit from cuzk.job where state = 'queued' and circuit > each.circuit order by circuit limit 1)
    from each where each.circuit is not null)
  select circuit from each where circuit is not null
$$;

-- A job of several partitions that p_session would claim becomes parts, one for each machine that has nothing else to do,
-- itself counted: p_machines at most, by preference those that hold the key; any, where nobody does. Each is woken for its
-- part, which the others leave to it for p_grace. Returns what is claimed now: the first part, or the job where nobody
-- would share it, or others wait.
create function cuzk.share(p_session text, p_id text, p_machines int, p_grace interval, p_alive interval) returns text
language plpgsql as $$
declare
  whole cuzk.job;
  idle text[];
  n int;
begin
  select * into whole from cuzk.job where id = p_id;
  if whole.partitions < 2 or p_machines < 2 or whole.parent is not null
    or exists (select from cuzk.job where state = 'queued' and id <> p_id) then return p_id; end if;
  select array_agg(session) into idle from (
    select session from cuzk.daemon d
    where session <> p_session and seen > now() - p_alive and room > 0
      and not exists (select from cuzk.job j where j.state = 'leased' and j.daemon = d.session)
      and (whole.circuit = any (held) or not exists (
        select from cuzk.daemon k where k.seen > now() - p_alive and whole.circuit = any (k.held)))
    order by random() limit least(p_machines, whole.partitions) - 1) each;
  n := coalesce(cardinality(idle), 0) + 1;
  if n = 1 then return p_id; end if;
  update cuzk.job set state = 'shared', leased = now() where id = p_id;
  insert into cuzk.job (id, seq, identity, request_id, digest, kind, circuit, priority, state, parent, first_partition,
                        partitions, deadline, input_bytes, acceptor, accepted, queued, kept_for, kept_until)
  overriding system value
  select p_id || '.' || i, whole.seq, convert_to(p_id || '.' || i, 'UTF8'), whole.request_id, whole.digest, whole.kind,
    whole.circuit, whole.priority, 'queued', p_id, i * whole.partitions / n,
    (i + 1) * whole.partitions / n - i * whole.partitions / n, whole.deadline, whole.input_bytes, whole.acceptor,
    whole.accepted, whole.queued, idle[i], now() + greatest(p_grace, '1 s')
  from generate_series(0, n - 1) i;
  perform pg_notify('cuzk_' || session, 'w') from unnest(idle) session;
  return p_id || '.0';
end
$$;

-- The last part that is proved ends its job, and so does one that has failed; but where a part says that the input is
-- wrong, the job goes to one machine, which can say what is wrong with the whole. A job that ends ends its parts. A part
-- that somebody else is changing is left to him, and to the sweep: who holds a job waits for no part.
create function cuzk.after_change() returns trigger language plpgsql as $$
declare
  whole cuzk.job;
begin
  if new.parent is null then
    if new.ended is not null then perform cuzk.end_parts(new.id);
    else
      update cuzk.job set priority = new.priority, deadline = new.deadline
      where id in (select id from cuzk.job where parent = new.id and ended is null for no key update skip locked);
    end if;
    return null;
  end if;
  select * into whole from cuzk.job where id = new.parent for no key update;
  if whole.state <> 'shared' then return null; end if;
  if new.code = 'invalid_input' and new.state = 'failed' then
    update cuzk.job set state = 'queued', queued = now(), leased = null, partitions = 1 where id = whole.id;
    perform cuzk.end_parts(whole.id), cuzk.wake(whole.circuit, whole.priority, '1 hour');
    return null;
  elsif new.state <> 'completed' then
    update cuzk.job set state = new.state, ended = now(), code = new.code,
      message = format('partitions %s to %s: %s', new.first_partition, new.first_partition + new.partitions - 1,
                       new.message)
    where id = whole.id;
  elsif exists (select from cuzk.job where parent = whole.id and state <> 'completed') then
    return null;
  else
    update cuzk.job set state = 'completed', ended = now(), code = new.code, proof = parts.proof,
      daemon_name = parts.names, timings = parts.timings
    from (select string_agg(proof, ''::bytea order by first_partition) as proof,
            string_agg(distinct daemon_name, ', ') as names,
            array[max(timings[1]), max(timings[2]), sum(timings[3]), sum(timings[4])]::bigint[] as timings
          from cuzk.job where parent = whole.id) parts
    where id = whole.id;
  end if;
  perform pg_notify('cuzk_' || whole.acceptor, 'e' || whole.id);
  return null;
end
$$;
create trigger part_ended after update on cuzk.job for each row
  when (old.ended is null and new.ended is not null and new.parent is not null) execute function cuzk.after_change();
create trigger shared_changed after update on cuzk.job for each row
  when (old.state = 'shared' and (new.ended is not null or (new.priority, new.deadline) <> (old.priority, old.deadline)))
  execute function cuzk.after_change();

-- A job that is proved, or waits in a daemon behind others, has become CRITICAL: whoever holds it is told.
create function cuzk.hurry(p_id text) returns void language sql as $$
  select pg_notify('cuzk_' || daemon, 'p' || id) from cuzk.job
  where (id = p_id or parent = p_id) and state = 'leased' and daemon is not null
$$;

-- Nobody needs the parts of a job that has ended.
create function cuzk.end_parts(p_id text) returns void language sql as $$
  with unneeded as (
    update cuzk.job set state = 'cancelled', ended = now(), code = 'cancelled', message = 'its job has ended'
    where id in (select id from cuzk.job where parent = p_id and ended is null for no key update skip locked)
    returning id, daemon)
  select pg_notify('cuzk_' || daemon, 'c' || id) from unneeded where daemon is not null
$$;

create function cuzk.claim(p_session text, p_held text[], p_most int, p_lowest int, p_grace interval, p_alive interval,
                           p_machines int)
returns setof cuzk.job language plpgsql as $$
declare
  own text[];
  picked text[];
  wanted int := p_most;
begin
  if not exists (select from cuzk.job where state = 'queued') then return; end if;  -- most claims find nothing
  -- Where it has the key, where nobody has it, or where the request does not say which.
  select array_agg(c) into own from cuzk.waiting_circuits() c
  where c = '' or c = any (p_held) or not exists (
    select from cuzk.daemon d where d.session <> p_session and d.seen > now() - p_alive and c = any (d.held));
  for level in reverse 3..p_lowest loop
    exit when wanted = 0;
    if level = 3 then
      picked := array(
        select id from cuzk.job
        where state = 'queued' and priority = 3 and deadline > now()
          and (passed_over is distinct from p_session or passed_until < now())
          and (kept_until is null or kept_for = p_session or kept_until < now())
        order by deadline, seq limit wanted for update skip locked);
    else
      picked := array(
        select each.id from unnest(own) c cross join lateral (
          select id, deadline, seq from cuzk.job
          where state = 'queued' and circuit = c and priority = level and deadline > now()
            and (passed_over is distinct from p_session or passed_until < now())
            and (kept_until is null or kept_for = p_session or kept_until < now())
          order by deadline, seq limit wanted for update skip locked) each
        order by each.deadline, each.seq limit wanted);
      if cardinality(picked) < wanted then
        picked := picked || array(
          select id from cuzk.job
          where state = 'queued' and priority = level and deadline > now() and queued < now() - p_grace
            and not circuit = any (coalesce(own, '{}'))
            and (passed_over is distinct from p_session or passed_until < now())
            and (kept_until is null or kept_for = p_session or kept_until < now())
          order by deadline, seq limit wanted - cardinality(picked) for update skip locked);
      end if;
    end if;
    if p_most = wanted and cardinality(picked) = 1 then
      picked := array[cuzk.share(p_session, picked[1], p_machines, p_grace, p_alive)];
    end if;
    wanted := wanted - cardinality(picked);
    return query update cuzk.job
      set state = 'leased', lease = lease + 1, attempts = attempts + 1, daemon = p_session, leased = now(),
          kept_until = null,
          daemon_name = (select name from cuzk.daemon where session = p_session)
      where id = any (picked) returning *;
  end loop;
end
$$;

-- A daemon says that it lives. Nothing is lost with a heartbeat that a crash of the server forgets: it does not wait for
-- the disk. The answer has a row for each lease that is the daemon's, or one without.
create function cuzk.beat(p_session text, p_name text, p_room int, p_urgent_room int, p_held text[], p_alive interval)
returns table (job text, number bigint, due boolean) language plpgsql as $$
declare
  is_due boolean;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into cuzk.daemon as d (session, name, room, urgent_room, held)
  values (p_session, p_name, p_room, p_urgent_room, p_held)
  on conflict (session) do update set seen = now(), room = p_room, urgent_room = p_urgent_room, held = p_held;
  select swept < now() - p_alive / 3 into is_due from cuzk.farm;
  return query select j.id, j.lease, is_due from (select 1) one
    left join cuzk.job j on j.state = 'leased' and j.daemon = p_session;
end
$$;

-- A result was told. Whether that is remembered decides only how long it is kept.
create function cuzk.fetched(p_id text) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update cuzk.job set fetched = now() where id = p_id and fetched is null;
end
$$;

-- Leases of daemons that have not been seen for p_alive come back, or end where too many attempts came to nothing; jobs
-- whose deadline has passed end. Nobody is taken for dead who may only have waited for this server.
create function cuzk.sweep(p_alive interval, p_most_attempts int) returns int language plpgsql as $$
declare
  job record;
  changed int := 0;
begin
  update cuzk.farm set swept = now();
  if pg_postmaster_start_time() < now() - p_alive then
    delete from cuzk.daemon where seen < now() - p_alive;
    for job in
      update cuzk.job j
      set state = case when attempts < p_most_attempts then 'queued' else 'failed' end,
          queued = now(),
          reasons = reasons || format('attempt %s: %s was not seen for %s s', attempts, daemon_name,
                                      extract(epoch from p_alive)::int),
          ended = case when attempts < p_most_attempts then null else now() end,
          code = 'internal',
          message = format('given up after %s attempts; the last: %s was not seen for %s s', attempts, daemon_name,
                           extract(epoch from p_alive)::int)
      where state = 'leased' and not exists (select from cuzk.daemon d where d.session = j.daemon)
      returning id, state, acceptor, circuit, priority
    loop
      changed := changed + 1;
      if job.state = 'queued' then perform cuzk.wake(job.circuit, job.priority, p_alive);
      else perform pg_notify('cuzk_' || job.acceptor, 'e' || job.id); end if;
    end loop;
  end if;
  for job in
    update cuzk.job set state = 'timed_out', ended = now(), code = 'deadline', message = 'its deadline passed before it ran'
    where state = 'queued' and deadline < now() returning id, acceptor
  loop
    changed := changed + 1;
    perform pg_notify('cuzk_' || job.acceptor, 'e' || job.id);
  end loop;
  -- Of jobs that ended while somebody else was changing the part.
  perform cuzk.end_parts(each.id) from (
    select distinct whole.id from cuzk.job part join cuzk.job whole on whole.id = part.parent
    where part.state in ('queued', 'leased') and whole.ended is not null) each;
  return changed;
end
$$;
)sql";

}  // namespace cuzk::farm
