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
