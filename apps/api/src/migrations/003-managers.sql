-- Managers -----------------------------------------------------------------------------------------------------------

-- Users who run a sport center: its details, referees, kiosks and appeals.
create table managers (
  user_id uuid not null references users (id) on delete cascade,
  sport_center_id uuid not null references sport_centers (id) on delete cascade,
  granted_at timestamptz not null default now(),
  primary key (sport_center_id, user_id)
);
create index managers_by_user on managers (user_id);

-- An invite of a manager has a center, like that of a referee.
alter table invites
  drop constraint invites_kind_check,
  add constraint invites_kind_check check (kind in ('referee', 'kiosk', 'operator', 'manager'));

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
