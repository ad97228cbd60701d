create table devices (
  id uuid primary key,
  user_id uuid not null references users (id),
  installation_id uuid not null,
  name text not null,
  key_encrypted bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (user_id, installation_id)
);

create table referees (
  id uuid primary key,
  user_id uuid not null references users (id),
  sport_center_id uuid not null references sport_centers (id),
  sport_types text[] not null check (sport_types <@ array['climbing', 'swimming'] and sport_types <> '{}'),
  granted_by text not null,
  valid_from timestamptz not null,
  valid_until timestamptz,
  revoked_at timestamptz
);
create index referees_by_user on referees (user_id, sport_center_id);

-- The id is made on the athlete's device and is what the code carries. It is the user's own: whoever reads it from a
-- code cannot take it away.
create table activities (
  id uuid not null,
  user_id uuid not null references users (id),
  sport_center_id uuid not null references sport_centers (id),
  sport_type text not null check (sport_type in ('climbing', 'swimming')),
  started_at timestamptz not null,
  ended_at timestamptz,
  status text not null check (status in ('active', 'finished', 'validated', 'rejected')),
  validation text not null default 'none' check (validation in ('none', 'peer', 'venue', 'referee')),
  intensity text check (intensity in ('easy', 'moderate', 'hard')),
  intensity_confirmed boolean not null default false,
  distance_m integer check (distance_m >= 0),
  points integer not null default 0,
  counted_minutes integer,
  rule_version text not null,
  local_date date not null,
  week_key text not null,
  validated_at timestamptz,
  last_step bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'active') = (ended_at is null)),
  check (ended_at is null or ended_at > started_at),
  check (points = 0 or status = 'validated'),
  primary key (user_id, id),
  constraint activities_do_not_overlap exclude using gist (
    user_id with =,
    tstzrange(started_at, ended_at) with &&
  ) where (status in ('finished', 'validated'))
);
create unique index one_active_activity on activities (user_id) where status = 'active';
create index activities_by_user on activities (user_id, started_at desc, id desc);
create index unvalidated_activities_by_center on activities (sport_center_id, ended_at) where status = 'finished';
create index scored_activities_by_week on activities (user_id, week_key) where status = 'validated';

-- The outcome of every step, for ever: what makes a repeated send harmless.
create table activity_ops (
  user_id uuid not null references users (id),
  op_id uuid not null,
  activity_id uuid not null,
  kind text not null check (kind in ('start', 'finish', 'scan')),
  body_hash bytea not null,
  outcome text not null check (outcome in ('accepted', 'waiting', 'rejected')),
  code text,
  message text,
  received_at timestamptz not null default now(),
  primary key (user_id, op_id)
);

-- Scans that came before the athlete's own steps did.
create table waiting_scans (
  op_id uuid not null,
  scanner_id uuid not null references users (id),
  athlete_id uuid not null references users (id),
  activity_id uuid not null,
  scan jsonb not null,
  received_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (scanner_id, op_id)
);
create index waiting_scans_by_activity on waiting_scans (athlete_id, activity_id);

-- Append-only; holds no coordinate and no code.
create table validation_log (
  id bigint generated always as identity primary key,
  athlete_id uuid not null references users (id),
  activity_id uuid not null,
  scanner_id uuid not null references users (id),
  op_id uuid not null,
  method text not null check (method in ('peer', 'venue', 'referee')),
  decision text not null check (decision in ('confirm', 'reject')),
  outcome text not null check (outcome in ('accepted', 'waiting', 'refused')),
  code text,
  reason text,
  scanned_at timestamptz not null,
  clock_offset_ms bigint not null,
  clock_age_ms bigint,
  distance_class text not null,
  received_at timestamptz not null default now()
);
create index validation_log_by_activity on validation_log (athlete_id, activity_id);
create index validation_log_by_scanner on validation_log (scanner_id, scanned_at) where outcome = 'accepted';

-- Append-only; totals and boards are derived from it and can be rebuilt.
create table score_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  activity_id uuid not null,
  kind text not null check (kind in ('validation', 'allotment', 'reversal')),
  points integer not null,
  rule_version text not null,
  inputs jsonb not null,
  created_at timestamptz not null default now(),
  foreign key (user_id, activity_id) references activities (user_id, id)
);
create index score_ledger_by_user on score_ledger (user_id, activity_id);

-- How many scans a user sent lately: what the hourly limit counts.
create index scans_by_user on activity_ops (user_id, received_at) where kind = 'scan';

create table week_scores (
  user_id uuid not null references users (id),
  week_key text not null,
  sport text not null check (sport in ('all', 'climbing', 'swimming')),
  -- The nil UUID stands for all centers: a primary key holds no null.
  sport_center_id uuid not null,
  points integer not null,
  reached_at timestamptz not null,
  version integer not null default 1,
  primary key (week_key, sport, sport_center_id, user_id)
);
create index week_scores_by_rank on week_scores (week_key, sport, sport_center_id, points desc, reached_at, user_id);
