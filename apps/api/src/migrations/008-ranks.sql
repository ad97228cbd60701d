-- One row per athlete and board: a week ('2026-W47'), a season ('2026-Q4') or all time ('all'). No index holds the
-- points: ranks are found in memory or in Redis, and an update that touches no index stays on its page.
create table board_scores (
  user_id uuid not null references users (id),
  period text not null,
  sport text not null check (sport in ('all', 'climbing', 'swimming')),
  -- The nil UUID stands for all centers: a primary key holds no null.
  sport_center_id uuid not null,
  -- What public boards show: 0 for who is on none of them with what counts there.
  points integer not null,
  reached_at timestamptz not null,
  -- The same with friends' proofs, for the friends' view.
  friends_points integer not null,
  friends_reached_at timestamptz not null,
  -- Rows are never deleted but with their user, so that versions only rise and an index can drop what is old.
  version integer not null default 1,
  primary key (user_id, period, sport, sport_center_id)
) with (fillfactor = 70);
create index board_scores_by_board on board_scores (period, sport, sport_center_id);

-- Who changed on which boards, in the order of the transactions: an index reads on from the oldest transaction that was
-- still open when it last read (pg_snapshot_xmin), so that none is lost whatever the order of the commits.
create table board_changes (
  xid xid8 not null default pg_current_xact_id(),
  user_id uuid not null,
  -- null: all that the user has.
  periods text[],
  created_at timestamptz not null default now()
);
create index board_changes_by_xid on board_changes (xid);
create index board_changes_by_age on board_changes (created_at);
create index board_changes_by_user on board_changes (user_id);

-- What all validated activities of an athlete's week come to: level, ring, streak, trend and badges read only this.
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

create table badges (
  user_id uuid not null references users (id),
  badge text not null,
  earned_at timestamptz not null,
  primary key (user_id, badge)
);

alter table users add column boards boolean not null default true;

-- Whether the week was still open, so that the entry reached the boards.
alter table score_ledger add column on_boards boolean not null default true;
-- Boards of a week that is final are made of the ledger alone, so each entry says all that they need. What an activity
-- has in all is booked for it as it is at present.
update score_ledger l set inputs = l.inputs || jsonb_build_object(
  'week_key', a.week_key, 'validation', a.validation, 'validated_at', a.validated_at,
  'sport_type', a.sport_type, 'sport_center_id', a.sport_center_id)
from activities a where a.user_id = l.user_id and a.id = l.activity_id;

-- What has to be derived, because the tables that hold it are newer than what it is derived from. Each wish is a row of its
-- own, so that one that comes while rows are derived is still there afterwards.
create table rows_to_derive (
  id bigint generated always as identity primary key,
  what text not null
);
insert into rows_to_derive (what) select 'boards' where exists (select from score_ledger);

-- Nodes of the version before go on with week_scores while both run; the version after drops it with this trigger. What
-- they score is on no board until it is derived. Not for who is erased: that removes the rows, too.
create function derive_boards_again() returns trigger language plpgsql as $$
begin
  insert into rows_to_derive (what)
  select 'boards' from users where id = coalesce(new.user_id, old.user_id) and is_active;
  return null;
end
$$;
create trigger derive_boards_again after insert or update or delete on week_scores
  for each row execute function derive_boards_again();
