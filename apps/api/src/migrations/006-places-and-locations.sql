-- Words are found inside texts of a million centers. Trusted: the owner of a database may create it.
create extension if not exists pg_trgm;

-- Other names of the towns that a center lies in, in both languages: 40 % of the records say no city.
alter table sport_centers add column place_names text[] not null default '{}';
-- Folded by the rules of packages/domain, for which SQL has no equal; null until the server or an import wrote them.
alter table sport_centers add column search_name text;
alter table sport_centers add column search_text text;
alter table sport_centers add column search_city text;
-- So that one column tells, and its index finds those that are not described yet.
alter table sport_centers add check (num_nulls(search_name, search_text, search_city) in (0, 3));
create index sport_centers_by_search_text on sport_centers using gin (search_text gin_trgm_ops);
create index sport_centers_by_search_city on sport_centers using gin (search_city gin_trgm_ops);
create index sport_centers_by_name on sport_centers (search_name collate "C", id);

-- Who changes a text and knows nothing of the folded ones (a repair by hand, an older version) leaves them to the server.
create function forget_search_texts() returns trigger language plpgsql as $$
begin
  new.search_name := null;
  new.search_text := null;
  new.search_city := null;
  return new;
end $$;
create trigger sport_centers_forget_search_texts
before update of name, other_names, city, address, place_names on sport_centers
for each row when (
  (new.name, new.other_names, new.city, new.address, new.place_names)
    is distinct from (old.name, old.other_names, old.city, old.address, old.place_names)
  and (new.search_name, new.search_text, new.search_city)
    is not distinct from (old.search_name, old.search_text, old.search_city)
)
execute function forget_search_texts();

create index activities_by_center on activities (sport_center_id);

-- One number that every change of the centers moves on, seen by others when it is committed.
create table sport_center_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null,
  -- Tells databases apart: a reply of another one is never taken for one of this, whatever its number.
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

-- Friends of each other; the lower id stands first, so that a pair has one row.
create table friendships (
  id uuid primary key,
  user_low uuid not null references users (id) on delete cascade,
  user_high uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_low, user_high),
  check (user_low < user_high)
);
create index friendships_by_high on friendships (user_high);

-- Whether friends may see at which center this user is.
alter table users add column presence boolean not null default false;

-- Where somebody last was: one row a user, read by its owner only, removed after two hours.
create table user_locations (
  user_id uuid primary key references users (id) on delete cascade,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  accuracy_m double precision check (accuracy_m >= 0),
  located_at timestamptz not null,
  -- The center that this is at; null where none is near enough.
  sport_center_id uuid references sport_centers (id) on delete set null,
  received_at timestamptz not null default now()
);
create index user_locations_by_center on user_locations (sport_center_id);
create index user_locations_by_age on user_locations (located_at);
