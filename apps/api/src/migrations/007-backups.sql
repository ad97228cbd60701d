-- Backups ----------------------------------------------------------------------------------------------------------------

-- The scheduled backups, for operators and for the other nodes; at most one row.
create table backup_state (
  is_only boolean primary key default true check (is_only),
  -- Of the latest verified one.
  made_at timestamptz,
  bytes bigint,
  -- Of the latest attempt, if it failed.
  failed_at timestamptz,
  failure text
);
