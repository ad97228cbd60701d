-- The schema of 0.1.0, by noun. Later changes are files of their own.

create extension if not exists btree_gist;
-- Finds words inside the texts of 300,000 centers. A trusted extension: the owner of a database may create it.
create extension if not exists pg_trgm;

-- Users --------------------------------------------------------------------------------------------------------------

create table users (
  id uuid primary key,
  public_id text not null unique check (public_id ~ '^[a-z0-9_.-]{3,30}$'),
  email text not null default '',
  name text not null,
  display_name text,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- A locked account (is_active false) is erased after this moment; until then its owner can undo it.
  erase_after timestamptz,
  -- Nodes keep users in memory and read which ones changed lately.
  changed_at timestamptz not null default now(),
  -- Whether friends may see at which center this user is.
  presence boolean not null default false,
  boards boolean not null default true,
  -- Locked by an operator (is_active false), until an operator lifts it; its owner cannot.
  suspended_at timestamptz,
  constraint users_suspension_check check (suspended_at is null or not is_active)
);
create index users_by_change on users (changed_at);
create index users_by_erasure on users (erase_after) where erase_after is not null;
-- Without the id: a statement that is planned on an empty table would look users up in it by their id.
create index users_by_age on users (created_at);
-- Operators search for a part of a name or of a public id, or for a whole address.
create index users_by_words on users using gin (name gin_trgm_ops, public_id gin_trgm_ops);
create index users_by_email on users (lower(email));

create function note_user_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
create trigger users_note_change before update on users for each row execute function note_user_change();

-- The placeholder for erased users in the rows of others.
insert into users (id, public_id, name, is_active)
values ('00000000-0000-4000-8000-000000000000', 'deleted-user', 'Deleted user', false);

-- Former public ids, reserved for their owners for a while, so that no other user can take one and pass for them.
create table held_public_ids (
  public_id text primary key,
  user_id uuid not null references users (id),
  held_until timestamptz not null
);
create index held_public_ids_by_user on held_public_ids (user_id);

create table bio_info (
  id uuid primary key,
  user_id uuid not null unique references users (id),
  -- The caller's Idempotency-Key, if there was one.
  client_id uuid,
  age integer not null check (age between 5 and 120),
  weight_kg double precision not null check (weight_kg between 20 and 400),
  height_cm double precision not null check (height_cm between 60 and 260),
  male boolean,
  created_at timestamptz not null default now(),
  -- The version of the row: whole milliseconds, as on the wire.
  updated_at timestamptz(3) not null default now()
);

-- The user on the wire includes body data, so a change of them is a change of the user.
create function note_bio_info_change() returns trigger language plpgsql as $$
begin
  update users set changed_at = clock_timestamp() where id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger bio_info_note_change after insert or update or delete on bio_info
for each row execute function note_bio_info_change();

-- Idempotency keys of deleted body data: a late copy of the request that saved them must not restore them.
create table deleted_bio_info (
  user_id uuid not null references users (id),
  client_id uuid not null,
  primary key (user_id, client_id)
);

-- Sign-in ------------------------------------------------------------------------------------------------------------

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_by_user on identities (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  device_name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  reissues integer not null default 0,
  reissued_on date,
  -- SHA-256 of the public half (RFC 7638) of the browser's key that the session is bound to; null for none.
  key_thumbprint text,
  -- The ID token of the sign-in, sealed: an external provider asks for it to end its own session. Used once, at the
  -- sign-out, and gone with the session.
  id_token bytea
);
create index sessions_by_user on sessions (user_id) where ended_at is null;
create index sessions_by_end on sessions (ended_at) where ended_at is not null;
create index sessions_by_expiry on sessions (expires_at);
create index sessions_of_user on sessions (user_id);
create index sessions_by_key on sessions (key_thumbprint) where ended_at is null and key_thumbprint is not null;

create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  generation integer not null,
  parent_hash bytea,
  issued_at timestamptz not null default now(),
  rotated_at timestamptz,
  confirmed_at timestamptz,
  unique (session_id, generation)
);

-- Ids of proofs (DPoP) that were used in the last minutes: each is good once.
create table used_proofs (
  id_hash bytea primary key,
  used_at timestamptz not null
);
create index used_proofs_by_time on used_proofs (used_at);

create table sign_in_attempts (
  state_hash bytea primary key,
  cookie_hash bytea not null,
  browser_verifier_hash bytea not null,
  provider_verifier text not null,
  nonce text not null,
  redirect_uri text not null,
  expires_at timestamptz not null
);
create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at);

-- Attempts within a window, such as sign-ins of one account; the columns are those of rate-limiter-flexible.
create table attempt_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- The end of the window, ms since 1970.
  expire bigint
);

-- Requests of each caller in the present window of each limit, leased by the nodes. Unlogged: a crash of
-- PostgreSQL may forget them, and a count waits for no disk.
create unlogged table request_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- The end of the window, ms since 1970.
  expire bigint
) with (fillfactor = 70);

-- Private keys are encrypted by a secret outside the database.
create table signing_keys (
  id text primary key,
  purpose text not null,
  private_jwk bytea not null,
  created_at timestamptz not null default now()
);

-- The own identity provider ------------------------------------------------------------------------------------------

create table provider_accounts (
  id uuid primary key,
  email text not null,
  display_name text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  -- The e-mail as the app folds it: lower() depends on the database's locale and folds Σ and İ in another way.
  email_key text not null
);
create unique index provider_accounts_by_email_key on provider_accounts (email_key);

create table provider_records (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);
create index provider_records_by_grant on provider_records (grant_id) where grant_id is not null;
create index provider_records_by_uid on provider_records (uid) where uid is not null;
create index provider_records_by_expiry on provider_records (expires_at);

-- One-time links for a forgotten password; only the hash is stored.
create table provider_password_resets (
  token_hash bytea primary key,
  account_id uuid not null references provider_accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index provider_password_resets_by_account on provider_password_resets (account_id);

-- Sign-ups that wait for the link of their mail; only the hash is stored. The account comes into being by the link.
create table provider_sign_ups (
  token_hash bytea primary key,
  email text not null,
  -- As in provider_accounts.
  email_key text not null,
  expires_at timestamptz not null
);
create index provider_sign_ups_by_email_key on provider_sign_ups (email_key);
create index provider_sign_ups_by_expiry on provider_sign_ups (expires_at);

-- Events -------------------------------------------------------------------------------------------------------------

-- Each user's event stream has its own gapless counter, assigned under the counter's row lock.
create table user_event_counters (
  user_id uuid primary key references users (id),
  last_seq bigint not null
);

-- No foreign key: the writer of events holds the row of the user's counter, which has one.
create table user_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
-- Old events are removed after some days. They lie in the order of their time, so the smallest kind of index is enough.
create index user_events_by_time on user_events using brin (created_at) with (pages_per_range = 16);

-- Sport centers ------------------------------------------------------------------------------------------------------

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
  -- Other names of the towns that a center lies in, in both languages: 40 % of the records name no city.
  place_names text[] not null default '{}',
  -- Folded by the rules of packages/domain, for which SQL has no equal.
  search_name text not null,
  search_text text not null,
  search_city text not null,
  -- When the url last changed; null: it never did. A new url may be a stranger's edit of an open map.
  url_changed_at timestamptz,
  unique (source, source_ref)
);
create index sport_centers_by_search_text on sport_centers using gin (search_text gin_trgm_ops);
create index sport_centers_by_search_city on sport_centers using gin (search_city gin_trgm_ops);
create index sport_centers_by_name on sport_centers (search_name collate "C", id);

create function note_sport_center_url() returns trigger language plpgsql as $$
begin
  new.url_changed_at := now();
  return new;
end $$;
create trigger sport_centers_note_url before update of url on sport_centers
for each row when (old.url is distinct from new.url) execute function note_sport_center_url();

create table sport_facilities (
  id uuid primary key,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  type text not null check (type in ('climbing', 'swimming')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (sport_center_id, type)
);

-- Records of a source that were merged into a center of another source.
create table sport_center_merges (
  source text not null,
  source_ref text not null,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  primary key (source, source_ref)
);
create index sport_center_merges_by_center on sport_center_merges (sport_center_id);

-- One number that every change of the centers raises; others see it when the change is committed.
create table sport_center_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null,
  -- Tells databases apart: a reply of one database is never taken for a reply of another, whatever the numbers.
  database_id uuid not null default gen_random_uuid()
);
insert into sport_center_version (version) values (1);

create function note_sport_center_change() returns trigger language plpgsql as $$
begin
  update sport_center_version set version = version + 1;
  return null;
end $$;
create trigger sport_centers_note_change after insert or update or delete or truncate on sport_centers
for each statement execute function note_sport_center_change();
create trigger sport_facilities_note_change after insert or update or delete or truncate on sport_facilities
for each statement execute function note_sport_center_change();

-- The latest position of a user: one row a user, read by its owner only, removed after two hours.
create table user_locations (
  user_id uuid primary key references users (id) on delete cascade,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  accuracy_m double precision check (accuracy_m >= 0),
  located_at timestamptz not null,
  -- The center at this position; null where none is near enough.
  sport_center_id uuid references sport_centers (id) on delete set null,
  received_at timestamptz not null default now()
);
create index user_locations_by_center on user_locations (sport_center_id);
create index user_locations_by_age on user_locations (located_at);

-- Devices, referees, kiosks ------------------------------------------------------------------------------------------

-- The key of a revoked device stays for scans made before; the installation may come back with a new key.
create table devices (
  id uuid primary key,
  user_id uuid not null references users (id),
  installation_id uuid not null,
  name text not null,
  key_encrypted bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  session_id uuid,
  last_used_at timestamptz not null default now()
);
create index devices_by_user on devices (user_id);
create index devices_by_installation on devices (installation_id);
create unique index live_device_by_installation on devices (user_id, installation_id) where revoked_at is null;
create index devices_by_session on devices (session_id) where session_id is not null;

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
-- Any user may read which sports have a referee at a center.
create index referees_by_center on referees (sport_center_id);

create table kiosks (
  id uuid primary key,
  sport_center_id uuid not null references sport_centers (id),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index kiosks_by_center on kiosks (sport_center_id) where revoked_at is null;

-- One key a day of the center's zone.
create table kiosk_keys (
  id uuid primary key,
  kiosk_id uuid not null references kiosks (id) on delete cascade,
  day date not null,
  key_encrypted bytea not null,
  unique (kiosk_id, day)
);

-- One-time codes. Only the hash is stored. An invite of an operator has no center.
create table invites (
  code_hash bytea primary key,
  kind text not null check (kind in ('referee', 'kiosk', 'operator', 'manager')),
  sport_center_id uuid references sport_centers (id),
  sport_types text[] not null default '{}',
  right_until timestamptz,
  granted_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references users (id),
  constraint invites_center_check check ((sport_center_id is null) = (kind = 'operator'))
);
create index invites_by_user on invites (used_by) where used_by is not null;
create index invites_by_center on invites (sport_center_id) where used_at is null;

-- Activities ---------------------------------------------------------------------------------------------------------

-- The id is made on the athlete's device and is what the code carries. It is unique per user only: an id read from a
-- code cannot be taken away from its athlete.
create table activities (
  id uuid not null,
  user_id uuid not null references users (id),
  sport_center_id uuid not null references sport_centers (id),
  sport_type text not null check (sport_type in ('climbing', 'swimming')),
  started_at timestamptz not null,
  ended_at timestamptz,
  status text not null check (status in ('active', 'finished', 'validated', 'rejected', 'deleted')),
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
  -- The kiosk's code that was scanned at the start, as `kiosk step`.
  venue_start_code text,
  -- The decision in force and its user (null: a kiosk).
  decision_id uuid,
  decided_by uuid references users (id),
  -- A referee's rejection that no later decision answered; a deleted activity keeps it.
  rejection_id uuid,
  -- What the athlete declared, while the facts in force are those of a proof.
  declared jsonb,
  -- Corrected time of the athlete's last edit: confirmations from before it are void.
  edited_at timestamptz,
  appealed_at timestamptz,
  appeal_reason text,
  rejected_reason text,
  -- When the server received the scans of the kiosk's codes; the code of the reason why one does not count.
  venue_started_at timestamptz,
  venue_ended_at timestamptz,
  proof_note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Seconds between start and end in which the athlete had paused; null: none.
  paused_s integer check (paused_s > 0),
  primary key (user_id, id),
  constraint activities_end_by_status
    check ((status = 'active') <= (ended_at is null) and (ended_at is not null or status in ('active', 'deleted'))),
  constraint activities_end_after_start check (ended_at is null or ended_at > started_at),
  constraint activities_pause_within
    check (paused_s is null or (ended_at is not null and paused_s <= extract(epoch from ended_at - started_at))),
  constraint activities_points_by_status check (points = 0 or status = 'validated'),
  constraint activities_do_not_overlap exclude using gist (
    user_id with =,
    tstzrange(started_at, ended_at) with &&
  ) where (status in ('finished', 'validated'))
);
create unique index one_active_activity on activities (user_id) where status = 'active';
create index activities_by_user on activities (user_id, started_at desc, id desc);
create index activities_by_center on activities (sport_center_id, week_key);
-- Rows lie in the order of their time, so the smallest kind of index finds the last weeks of all athletes.
create index activities_by_time on activities using brin (started_at) with (pages_per_range = 16);
create index activities_by_decider on activities (decided_by, local_date) where decided_by is not null;
create index scored_activities_by_week on activities (user_id, week_key) where status = 'validated';
create index unvalidated_activities_by_center on activities (sport_center_id, ended_at) where status = 'finished';
create index open_rejections_by_user on activities (user_id) where rejection_id is not null;
create index appealed_activities_by_center on activities (sport_center_id, appealed_at)
  where status = 'finished' and appealed_at is not null;

-- The outcome of every op, for ever: it makes a repeated send harmless.
create table activity_ops (
  user_id uuid not null references users (id),
  op_id uuid not null,
  activity_id uuid not null,
  kind text not null check (kind in ('start', 'finish', 'reopen', 'scan', 'edit', 'delete', 'appeal', 'withdraw')),
  body_hash bytea not null,
  outcome text not null check (outcome in ('accepted', 'waiting', 'rejected')),
  code text,
  message text,
  received_at timestamptz not null default now(),
  primary key (user_id, op_id)
);
-- Recent scans of a user, for the hourly limit.
create index scans_by_user on activity_ops (user_id, received_at) where kind = 'scan';
create index scan_ops_by_activity on activity_ops (activity_id) where kind = 'scan';

-- Scans that arrived before the athlete's own ops.
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

-- Every decision that was valid when it arrived; the activity names the one in force, the others were overtaken.
create table decisions (
  id uuid primary key,
  athlete_id uuid not null references users (id),
  activity_id uuid not null,
  scanner_id uuid references users (id),
  -- Of the scanner; null once they are erased.
  op_id uuid,
  method text not null check (method in ('peer', 'venue', 'referee')),
  decision text not null check (decision in ('confirm', 'reject')),
  scanned_at timestamptz not null,
  step bigint,
  facts jsonb not null,
  reason text,
  received_at timestamptz not null default now(),
  -- Later than received_at if the scan waited for the athlete's ops.
  decided_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_because text check (withdrawn_because in ('scanner', 'operator')),
  unique (scanner_id, op_id),
  foreign key (athlete_id, activity_id) references activities (user_id, id)
);
create index decisions_by_activity on decisions (athlete_id, activity_id);
create index decisions_by_scanner on decisions (scanner_id, received_at desc, id desc);
-- The last weeks of all scanners, and of the referees of a center, for reviews.
create index decisions_by_time on decisions using brin (received_at) with (pages_per_range = 16);
create index referee_decisions_by_center on decisions ((facts ->> 'sport_center_id'), received_at)
  where method = 'referee';
create index kiosk_decisions_by_center on decisions ((facts ->> 'sport_center_id'), received_at)
  where scanner_id is null;

-- Append-only; holds no coordinate and no code.
create table validation_log (
  id bigint generated always as identity primary key,
  athlete_id uuid not null references users (id),
  activity_id uuid not null,
  -- null: a kiosk, which has no account.
  scanner_id uuid references users (id),
  kiosk_id uuid,
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
create index validation_log_of_scanner on validation_log (scanner_id);
create index validation_log_by_time on validation_log using brin (received_at) with (pages_per_range = 16);

-- Score, boards, badges ----------------------------------------------------------------------------------------------

-- Append-only; totals and boards are derived from it and can be rebuilt. Boards of a final week are made of the ledger
-- alone, so `inputs` holds all that they need.
create table score_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  activity_id uuid not null,
  kind text not null check (kind in ('validation', 'allotment', 'reversal')),
  points integer not null,
  rule_version text not null,
  inputs jsonb not null,
  created_at timestamptz not null default now(),
  -- Whether the week was still open, so that the entry reached the boards.
  on_boards boolean not null default true,
  foreign key (user_id, activity_id) references activities (user_id, id)
);
create index score_ledger_by_user on score_ledger (user_id, activity_id);

-- All validated activities of an athlete's week, summed up: level, ring, streak, trend and badges read only this.
create table athlete_weeks (
  user_id uuid not null references users (id),
  week_key text not null,
  points integer not null,
  -- Active days: bit 0 is Monday.
  days smallint not null,
  climbs integer not null,
  swims integer not null,
  swum_m integer not null,
  longest_climb_minutes integer not null,
  sport_center_ids uuid[] not null,
  -- One letter per activity in the order of their starts: r(eferee), v(enue), p(eer).
  proofs text not null,
  primary key (user_id, week_key)
);

-- One row per athlete and board: a week ('2026-W47'), a season ('2026-Q4') or all time ('all'). No index holds the
-- points: ranks come from an index outside the table, and an update that touches no index stays on its page.
create table board_scores (
  user_id uuid not null references users (id),
  period text not null,
  sport text not null check (sport in ('all', 'climbing', 'swimming')),
  -- The nil UUID means all centers: a primary key holds no null.
  sport_center_id uuid not null,
  -- On public boards; 0 for an athlete without points that count there.
  points integer not null,
  reached_at timestamptz not null,
  -- The same with friends' proofs, for the friends' view.
  friends_points integer not null,
  friends_reached_at timestamptz not null,
  -- Rows are only deleted with their user, so that versions only rise and an index can drop older ones.
  version integer not null default 1,
  primary key (user_id, period, sport, sport_center_id)
) with (fillfactor = 70);
create index board_scores_by_board on board_scores (period, sport, sport_center_id);

-- Which athlete changed on which boards, in the order of the transactions: an index reads on from the oldest transaction
-- that was open when it last read (pg_snapshot_xmin), so that none is missed whatever the order of the commits.
create table board_changes (
  xid xid8 not null default pg_current_xact_id(),
  user_id uuid not null,
  -- null: all boards of the user.
  periods text[],
  created_at timestamptz not null default now()
);
create index board_changes_by_xid on board_changes (xid);
create index board_changes_by_age on board_changes (created_at);
create index board_changes_by_user on board_changes (user_id);

create table badges (
  user_id uuid not null references users (id),
  badge text not null,
  earned_at timestamptz not null,
  primary key (user_id, badge)
);

-- Friends ------------------------------------------------------------------------------------------------------------

-- The lower id comes first, so that a pair has one row.
create table friendships (
  id uuid primary key,
  user_low uuid not null references users (id) on delete cascade,
  user_high uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_low, user_high),
  check (user_low < user_high)
);
create index friendships_by_high on friendships (user_high);

-- At most one pending request a pair, in either direction. Decided ones stay, so that a repeated answer meets the same
-- state.
create table friend_requests (
  id uuid primary key,
  sender_id uuid not null references users (id) on delete cascade,
  receiver_id uuid not null references users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'cancelled')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  check (sender_id <> receiver_id)
);
create unique index friend_requests_pending on friend_requests
  (least(sender_id, receiver_id), greatest(sender_id, receiver_id)) where status = 'pending';
create index friend_requests_by_sender on friend_requests (sender_id);
create index friend_requests_by_receiver on friend_requests (receiver_id);

-- How many public ids a user looked up, found or not, on the latest day (UTC) with a look-up.
create table friend_look_ups (
  user_id uuid primary key references users (id) on delete cascade,
  day date not null,
  look_ups integer not null
);

create table blocks (
  blocker_id uuid not null references users (id) on delete cascade,
  blocked_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_by_blocked on blocks (blocked_id);

create table reports (
  -- Made by the reporter's device: the key of a repeat.
  id uuid primary key,
  reporter_id uuid not null references users (id),
  reported_id uuid not null references users (id),
  reason text not null,
  -- Written by the reporter.
  text text,
  message_ids uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  -- When and by which operator it was handled.
  handled_at timestamptz,
  handled_by uuid references users (id),
  outcome text check (outcome in ('dismissed', 'suspended')),
  -- Written by the operator, about both people.
  outcome_reason text,
  constraint reports_handled_check
    check ((handled_at is null) = (handled_by is null) and (handled_at is null) = (outcome is null))
);
create index reports_by_reporter on reports (reporter_id, created_at);
create index reports_by_reported on reports (reported_id);
create index reports_by_time on reports (created_at desc, id desc);
create index reports_by_handler on reports (handled_by) where handled_by is not null;

-- Chats --------------------------------------------------------------------------------------------------------------

-- One chat a pair, the lower id first. An erased participant becomes the deleted user, who may have many.
create table chats (
  id uuid primary key,
  user_low uuid not null references users (id),
  user_high uuid not null references users (id),
  created_by uuid not null references users (id),
  -- The number of its latest message; numbers have no gaps, because this row is locked while they are assigned.
  last_seq bigint not null default 0,
  latest_at timestamptz,
  -- Messages that this participant has not read.
  low_unread integer not null default 0,
  high_unread integer not null default 0,
  created_at timestamptz not null default now()
) with (fillfactor = 60);
create unique index chats_pair on chats (user_low, user_high)
  where user_low <> '00000000-0000-4000-8000-000000000000' and user_high <> '00000000-0000-4000-8000-000000000000';
create index chats_by_low on chats (user_low);
create index chats_by_high on chats (user_high);
create index chats_by_creator on chats (created_by);

-- No foreign keys: each would look its row up, and lock it, for every message. The statement that writes messages holds the
-- chat's row, and no chat with messages is ever deleted.
create table messages (
  -- Made by the sender's device: for ever the key of a repeat.
  id uuid primary key,
  chat_id uuid not null,
  seq bigint not null,
  sender_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  read_at timestamptz
) with (fillfactor = 90);
create unique index messages_in_order on messages (chat_id, seq);
create index messages_by_sender on messages (sender_id);

-- Notifications ------------------------------------------------------------------------------------------------------

-- A browser that gets notifications while the app is closed. It belongs to the user who is signed in there.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  session_id uuid not null,
  endpoint text not null unique,
  -- base64url, as the browser returns them (RFC 8291).
  p256dh text not null,
  auth text not null,
  language text not null default 'en' check (language in ('en', 'es')),
  created_at timestamptz not null default now()
);
create index push_subscriptions_by_user on push_subscriptions (user_id);
create index push_subscriptions_by_session on push_subscriptions (session_id);

-- Which notifications a user wants; without a row all of them, without the text of messages.
create table notification_choices (
  user_id uuid primary key references users (id) on delete cascade,
  messages boolean not null default true,
  friends boolean not null default true,
  proofs boolean not null default true,
  -- Whether a notification may include the text of the message, not only its sender.
  show_text boolean not null default false,
  -- Minutes of the day in `time_zone`; null: never quiet.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  time_zone text not null default 'UTC',
  check ((quiet_from is null) = (quiet_until is null))
);

-- Operators ----------------------------------------------------------------------------------------------------------

create table operators (
  user_id uuid primary key references users (id) on delete cascade,
  granted_at timestamptz not null default now()
);

-- What operators choose in the browser; at most one row.
create table server_profile (
  is_only boolean primary key default true check (is_only),
  name text,
  -- A `Town` of the contract.
  town jsonb,
  area_loads text not null default 'everyone' check (area_loads in ('everyone', 'operators'))
);

-- Who did what with a right. `actor_id` null: the operator CLI or the server; `subject_id`: to whom it was done.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid references users (id),
  subject_id uuid references users (id),
  act text not null,
  details jsonb not null default '{}',
  -- Why; about the subject, and gone with them.
  reason text
);
create index audit_entries_by_actor on audit_entries (actor_id) where actor_id is not null;
create index audit_entries_by_subject on audit_entries (subject_id) where subject_id is not null;
-- Where an operator ended a manager's right, only an operator makes the next one.
create index audit_entries_revoked_managers on audit_entries ((details ->> 'sport_center_id'))
where act = 'manager_revoked';

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

-- Loads from the network ---------------------------------------------------------------------------------------------

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
  attempts integer not null default 0,
  -- Others wait for the load too, so its requester cannot cancel it alone.
  is_shared boolean not null default false
);
create index area_loads_by_time on area_loads (requested_at);
create index area_loads_by_user on area_loads (requested_by);

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

-- Managers -----------------------------------------------------------------------------------------------------------

-- Users who run a sport center: its details, referees, kiosks and appeals.
create table managers (
  user_id uuid not null references users (id) on delete cascade,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  granted_at timestamptz not null default now(),
  primary key (sport_center_id, user_id)
);
create index managers_by_user on managers (user_id);

-- What managers set in place of the source's facts. The row of the center holds the values in force; an import keeps
-- them and writes its own into `source_facts`, so that a removed edit falls back to them.
create table center_edits (
  sport_center_id uuid primary key references sport_centers (id) on delete cascade,
  -- Raised by each change; a manager changes the version that they saw.
  version integer not null,
  -- By field; `source_facts` has the same fields.
  facts jsonb not null default '{}',
  source_facts jsonb not null default '{}',
  -- No source has them.
  pool_lengths_m double precision[] not null default '{}'
);
create trigger center_edits_note_change after insert or update or delete or truncate on center_edits
for each statement execute function note_sport_center_change();

-- Opening hours as managers set them; no row: not known.
create table center_hours (
  sport_center_id uuid primary key references sport_centers (id) on delete cascade,
  version integer not null,
  -- As `OpeningHours` of the contract.
  weekly jsonb not null,
  closed_days jsonb not null
);
create trigger center_hours_note_change after insert or update or delete or truncate on center_hours
for each statement execute function note_sport_center_change();

-- Claims of sport centers --------------------------------------------------------------------------------------------

-- What users began in order to become managers: one row for each way of proof. A proof that succeeds deletes its row.
create table center_claims (
  id uuid primary key,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  way text not null check (way in ('mail', 'line', 'operator')),
  -- Of a mailed code or a line; and the center's url at that time: a changed one ends the claim.
  secret_hash bytea,
  url text,
  expires_at timestamptz,
  -- Codes that were tried.
  attempts integer not null default 0,
  -- Of a request to the operator.
  message text,
  status text not null default 'waiting' check (status in ('waiting', 'refused')),
  created_at timestamptz not null,
  unique (sport_center_id, user_id, way),
  check ((way = 'operator') = (secret_hash is null)),
  check ((way = 'operator') = (message is not null)),
  check ((way = 'operator') = (expires_at is null))
);
create index center_claims_by_user on center_claims (user_id);
create index center_claims_waiting on center_claims (created_at) where way = 'operator' and status = 'waiting';

-- Backups ------------------------------------------------------------------------------------------------------------

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
