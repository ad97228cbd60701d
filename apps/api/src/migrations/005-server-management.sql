-- Server management --------------------------------------------------------------------------------------------------

-- Locked by an operator (is_active false), until an operator lifts it; its owner cannot.
alter table users add column suspended_at timestamptz;
alter table users add constraint users_suspension_check check (suspended_at is null or not is_active);
-- Without the id: a statement that is planned on an empty table would look users up in it by their id.
create index users_by_age on users (created_at);

-- Of a report that an operator has handled.
alter table reports
  add column handled_at timestamptz,
  add column handled_by uuid references users (id),
  add column outcome text check (outcome in ('dismissed', 'suspended')),
  -- Written by the operator, about both people.
  add column outcome_reason text,
  add constraint reports_handled_check
    check ((handled_at is null) = (handled_by is null) and (handled_at is null) = (outcome is null));
create index reports_by_time on reports (created_at desc, id desc);
create index reports_by_handler on reports (handled_by) where handled_by is not null;

-- Why; about the subject, and gone with them.
alter table audit_entries add column reason text;

-- Suspicions that an operator looked at and left as they are; only the latest look of each counts.
create table kept_reviews (
  kind text not null,
  scanner_id uuid not null references users (id) on delete cascade,
  -- Of a pair; else the scanner again.
  athlete_id uuid not null references users (id) on delete cascade,
  kept_at timestamptz not null,
  primary key (kind, scanner_id, athlete_id)
);
create index kept_reviews_by_scanner on kept_reviews (scanner_id);
create index kept_reviews_by_athlete on kept_reviews (athlete_id);

-- Of an area: others wait for the load too, so its requester cannot cancel it alone. Databases made from an early 002
-- lack the column, those from a later one have it.
alter table area_loads add column if not exists is_shared boolean not null default false;
