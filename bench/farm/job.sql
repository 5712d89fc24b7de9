-- The whole way of a job, as src/farm/queue.cpp asks for it: submitted, claimed, its input read, ended, fetched. For pgbench -M prepared.
\set n random(1, 1000000000000)
with kept as (insert into cuzk.input (digest, bytes) select decode(md5(:n::text),'hex'), convert_to(repeat('i', 10000),'UTF8') on conflict (digest) do update set used = now() returning 1),
stored as (insert into cuzk.job as job (id, identity, request_id, digest, kind, circuit, priority, deadline, input_bytes, acceptor, state, partitions) values (md5(:n::text), decode(md5(:n::text),'hex'), 'r', decode(md5(:n::text),'hex'), 'porep-c2', 'porep-32g', 1, 'infinity', 10000, 'acc', 'queued', 1)
on conflict (identity) where state in ('queued', 'leased', 'shared', 'completed') do update set priority = case when job.state = 'completed' then job.priority else greatest(job.priority, excluded.priority) end, deadline = greatest(job.deadline, excluded.deadline), acceptor = excluded.acceptor returning id, state, circuit, priority)
select id, case when state = 'queued' then cuzk.wake(circuit, priority, '30 s')::text end from stored;
select id as job, lease as lease, encode(digest,'hex') as digest from cuzk.claim('s' || :client_id, '{porep-32g}', 1, 0, '2 s', '30 s', 4) \gset
select bytes from cuzk.input where digest = decode(:digest,'hex');
with told as (update cuzk.job set state = 'completed', ended = now(), code = 'internal', message = '', proof = decode(repeat('07', 1920),'hex'), timings = '{1,2,3,4}', stages = '' where id = :job and lease = :lease and state in ('leased','queued') returning acceptor, id) select pg_notify('cuzk_' || acceptor, 'e' || id) from told;
select id, request_id, kind, priority, state, daemon_name, attempts, code, message, proof, timings, stages, ended, fetched, acceptor from cuzk.job where id = :job;
select cuzk.fetched(:job);
