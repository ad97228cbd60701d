-- Operators ----------------------------------------------------------------------------------------------------------

create table operators (
  user_id uuid primary key references users (id) on delete cascade,
  granted_at timestamptz not null default now()
);

-- An invite of an operator has no center.
alter table invites
  alter column sport_center_id drop not null,
  drop constraint invites_kind_check,
  add constraint invites_kind_check check (kind in ('referee', 'kiosk', 'operator')),
  add constraint invites_center_check check ((sport_center_id is null) = (kind = 'operator'));

-- What operators choose in the browser; at most one row.
create table server_profile (
  is_only boolean primary key default true check (is_only),
  name text,
  -- A `Place` of the contract.
  town jsonb,
  area_loads text not null default 'everyone' check (area_loads in ('everyone', 'operators'))
);

-- Loads of an area's sport centers from OpenStreetMap, one at a time.
create table area_loads (
  id uuid primary key,
  -- Of a town that was requested.
  town_id text,
  name text not null,
  west double precision not null,
  south double precision not null,
  east double precision not null,
  north double precision not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'fetching', 'saving', 'done', 'failed', 'cancelled')),
  -- Cells of the area.
  fetched integer not null default 0,
  total integer not null default 0,
  -- While the Overpass server is busy: when it is queried again.
  retry_at timestamptz,
  -- Of a finished load: the counts of the import, or why it failed.
  report jsonb,
  failure text,
  requested_by uuid not null references users (id),
  requested_at timestamptz not null default now(),
  finished_at timestamptz,
  -- A load that ends the server each time must not begin for ever.
  attempts integer not null default 0
);
create index area_loads_by_time on area_loads (requested_at);
create index area_loads_by_user on area_loads (requested_by);

-- Who did what with a right. `actor_id` null: the operator CLI or the server; `subject_id`: to whom it was done.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid references users (id),
  subject_id uuid references users (id),
  act text not null,
  details jsonb not null default '{}'
);
create index audit_entries_by_actor on audit_entries (actor_id) where actor_id is not null;
create index audit_entries_by_subject on audit_entries (subject_id) where subject_id is not null;
