-- Decisions of several people about one activity, kiosks, invites, edits, deletions and appeals.

alter table activities
  drop constraint activities_status_check,
  drop constraint activities_check,
  add constraint activities_status_check
    check (status in ('active', 'finished', 'validated', 'rejected', 'deleted')),
  add constraint activities_end_by_status
    check ((status = 'active') <= (ended_at is null) and (ended_at is not null or status in ('active', 'deleted'))),
  -- The decision in force and who made it (null: a kiosk).
  add column decision_id uuid,
  add column decided_by uuid references users (id),
  -- The decision by which a referee rejected it, while nobody has answered; a deleted activity keeps it.
  add column rejection_id uuid,
  -- What the athlete says, while the facts in force are those of a proof.
  add column declared jsonb,
  -- Corrected time of the athlete's last edit: confirmations from before it are void.
  add column edited_at timestamptz,
  add column appealed_at timestamptz,
  add column appeal_reason text,
  add column rejected_reason text,
  -- When the kiosk's codes were scanned, as the server received them; the code of the reason why one does not count.
  add column venue_started_at timestamptz,
  add column venue_ended_at timestamptz,
  add column proof_note text;
create index activities_by_decider on activities (decided_by, local_date) where decided_by is not null;
create index open_rejections_by_user on activities (user_id) where rejection_id is not null;
create index appealed_activities_by_center on activities (sport_center_id, appealed_at)
  where status = 'finished' and appealed_at is not null;

-- Every decision that was valid when it came; the one in force is named by the activity, the others were overtaken.
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
  -- Later than it was received, where it waited for the athlete's steps.
  decided_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_because text check (withdrawn_because in ('scanner', 'operator')),
  unique (scanner_id, op_id),
  foreign key (athlete_id, activity_id) references activities (user_id, id)
);
create index decisions_by_activity on decisions (athlete_id, activity_id);
create index decisions_by_scanner on decisions (scanner_id, received_at desc);

alter table activity_ops
  drop constraint activity_ops_kind_check,
  add constraint activity_ops_kind_check
    check (kind in ('start', 'finish', 'scan', 'edit', 'delete', 'appeal', 'withdraw'));

-- A kiosk has no account.
alter table validation_log
  alter column scanner_id drop not null,
  add column kiosk_id uuid;

alter table devices
  add column session_id uuid,
  add column last_used_at timestamptz not null default now();
-- A key that was given up stays for the scans from before; the installation may come back with a new one.
alter table devices drop constraint devices_user_id_installation_id_key;
create index devices_by_user on devices (user_id);
create unique index live_device_by_installation on devices (user_id, installation_id) where revoked_at is null;
create index devices_by_session on devices (session_id) where session_id is not null;

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

-- One-time codes of the operator. Only the hash is kept.
create table invites (
  code_hash bytea primary key,
  kind text not null check (kind in ('referee', 'kiosk')),
  sport_center_id uuid not null references sport_centers (id),
  sport_types text[] not null default '{}',
  right_until timestamptz,
  granted_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references users (id)
);
create index invites_by_user on invites (used_by) where used_by is not null;
create index invites_by_center on invites (sport_center_id) where used_at is null;

-- Anybody may ask which sports have a referee at a center.
create index referees_by_center on referees (sport_center_id) where revoked_at is null;

-- What was decided before this: carried over from the log, so that it can be overtaken, taken back and appealed too.
with decided as (
  insert into decisions (id, athlete_id, activity_id, scanner_id, op_id, method, decision, scanned_at, step, facts, reason,
    received_at, decided_at)
  select gen_random_uuid(), l.athlete_id, l.activity_id, l.scanner_id, l.op_id, l.method, l.decision, l.scanned_at,
    a.last_step,
    jsonb_build_object('sport_center_id', a.sport_center_id, 'sport_center_name', c.name, 'sport_type', a.sport_type,
      'started_at', a.started_at, 'ended_at', a.ended_at, 'intensity', a.intensity,
      'intensity_confirmed', a.intensity_confirmed, 'distance_m', a.distance_m, 'local_date', a.local_date,
      'week_key', a.week_key),
    l.reason, l.received_at, l.received_at
  from activities a
  join sport_centers c on c.id = a.sport_center_id
  join lateral (
    select * from validation_log l
    where l.athlete_id = a.user_id and l.activity_id = a.id and l.outcome = 'accepted'
    order by l.id desc limit 1
  ) l on true
  where a.status in ('validated', 'rejected')
  on conflict do nothing
  returning id, athlete_id, activity_id, scanner_id, decision, reason
)
update activities a
set decision_id = d.id, decided_by = d.scanner_id,
  rejection_id = case when d.decision = 'reject' then d.id end,
  rejected_reason = case when d.decision = 'reject' then d.reason end
from decided d where a.user_id = d.athlete_id and a.id = d.activity_id;

-- A scan can be sent for 14 days from when it was made, and waits no longer than that.
update waiting_scans set expires_at = least(expires_at, (scan ->> 'scanned_at')::timestamptz
  + (scan #>> '{clock,offset_ms}')::float8 * interval '1 millisecond' + interval '14 days');
