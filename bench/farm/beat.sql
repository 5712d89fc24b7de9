-- A heartbeat. For pgbench -M prepared.
select * from cuzk.beat('s' || :client_id, 'name', 2, 2, '{porep-32g}', '30 s');
