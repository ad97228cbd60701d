-- Pauses of activities -------------------------------------------------------------------------------------------------

-- Seconds between start and end in which the athlete had paused; null: none, as a server that knows no pauses writes it.
alter table activities add column paused_s integer check (paused_s > 0);
alter table activities add constraint activities_pause_within
  check (paused_s is null or (ended_at is not null and paused_s <= extract(epoch from ended_at - started_at)));
