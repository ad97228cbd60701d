create table sport_centers (
  id uuid primary key,
  name text not null check (name <> ''),
  address text,
  city text,
  country text check (country ~ '^[A-Z]{2}$'),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  phone text,
  url text,
  is_private boolean,
  time_zone text not null,
  source text not null,
  source_ref text not null,
  licence text not null,
  attribution text not null,
  other_names text[] not null default '{}',
  closed_at timestamptz,
  content_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (source, source_ref)
);

create table sport_facilities (
  id uuid primary key,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  type text not null check (type in ('climbing', 'swimming')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (sport_center_id, type)
);

-- Records of a source that turned out to be a place we have already.
create table sport_center_merges (
  source text not null,
  source_ref text not null,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  primary key (source, source_ref)
);
create index sport_center_merges_by_center on sport_center_merges (sport_center_id);
