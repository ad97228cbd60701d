-- The athlete whom a scan or its withdrawal is about, as its code proved; null for ops about the author's own activity
-- and for those that proved no athlete. The activity's id proves none: it is unique per user only, and it can be written
-- into any op.
drop index scan_ops_by_activity;
alter table activity_ops add column athlete_id uuid references users (id);

update activity_ops o set athlete_id = l.athlete_id from validation_log l
where o.kind = 'scan' and l.scanner_id = o.user_id and l.op_id = o.op_id and l.athlete_id <> o.user_id;

-- A withdrawal did not store which scan it names. Scans of two athletes with one activity id name neither.
update activity_ops o set athlete_id = s.athlete_id
from (
  select user_id, activity_id, (array_agg(athlete_id))[1] as athlete_id from activity_ops
  where kind = 'scan' and athlete_id is not null
  group by user_id, activity_id having count(distinct athlete_id) = 1
) s
where o.kind = 'withdraw' and s.user_id = o.user_id and s.activity_id = o.activity_id;

-- A scan that proves no athlete names no activity, nor does its withdrawal.
update activity_ops set activity_id = op_id where kind in ('scan', 'withdraw') and athlete_id is null;

create index activity_ops_by_athlete on activity_ops (athlete_id) where athlete_id is not null;
