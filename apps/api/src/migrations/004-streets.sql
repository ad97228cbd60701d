-- Loads of a town's streets, cut out of a remote map; one at a time.
create table street_loads (
  id uuid primary key,
  town_id text not null,
  name text not null,
  status text not null default 'waiting' check (status in ('waiting', 'fetching', 'done', 'failed', 'cancelled')),
  -- Bytes.
  fetched bigint not null default 0,
  total bigint not null default 0,
  -- Of a finished load: how far the streets reach around the town, or why it failed.
  radius_km double precision,
  failure text,
  requested_by uuid not null references users (id),
  requested_at timestamptz not null default now(),
  finished_at timestamptz,
  -- A load that ends the server each time must not begin for ever.
  attempts integer not null default 0
);
create unique index street_loads_under_way on street_loads ((true)) where status in ('waiting', 'fetching');
create index street_loads_by_time on street_loads (requested_at);
create index street_loads_by_user on street_loads (requested_by);
