-- Whether awaited jobs have ended. For pgbench -M prepared.
select asked.id from unnest(array[md5('1'),md5('2'),md5('3')]) asked (id) left join cuzk.job on job.id = asked.id where job.id is null or job.ended is not null;
