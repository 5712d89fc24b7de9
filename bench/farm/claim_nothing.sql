-- A claim that finds nothing. For pgbench -M prepared.
select * from cuzk.claim('s' || :client_id, '{porep-32g}', 2, 0, '2 s', '30 s', 4);
