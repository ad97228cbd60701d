-- A locked account (is_active false) is erased after this moment; until then its owner can undo it.
alter table users add column erase_after timestamptz;
-- Nodes keep users in memory and ask which ones changed lately.
alter table users add column changed_at timestamptz not null default now();
create index users_by_change on users (changed_at);
create index users_by_erasure on users (erase_after) where erase_after is not null;

create function note_user_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
create trigger users_note_change before update on users for each row execute function note_user_change();

-- Stands for whoever was erased, in the rows of others.
insert into users (id, public_id, name, is_active)
values ('00000000-0000-4000-8000-000000000000', 'deleted-user', 'Deleted user', false);

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

-- The user as the wire has it holds body data too.
create function note_bio_info_change() returns trigger language plpgsql as $$
begin
  update users set changed_at = clock_timestamp() where id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger bio_info_note_change after insert or update or delete on bio_info
for each row execute function note_bio_info_change();

-- Former public ids, kept for their owners for a while, so that nobody passes for them.
create table held_public_ids (
  public_id text primary key,
  user_id uuid not null references users (id),
  held_until timestamptz not null
);
create index held_public_ids_by_user on held_public_ids (user_id);

-- One-time links for a forgotten password; only the hash is known here.
create table provider_password_resets (
  token_hash bytea primary key,
  account_id uuid not null references provider_accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index provider_password_resets_by_account on provider_password_resets (account_id);

-- Sweeps of expired sessions, and erasures, look rows up by these.
create index sessions_by_expiry on sessions (expires_at);
create index sessions_of_user on sessions (user_id);
create index identities_by_user on identities (user_id);
create index week_scores_by_user on week_scores (user_id);
create index validation_log_of_scanner on validation_log (scanner_id);
create index scan_ops_by_activity on activity_ops (activity_id) where kind = 'scan';
