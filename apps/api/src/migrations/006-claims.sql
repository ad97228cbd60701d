-- Claims of sport centers ----------------------------------------------------------------------------------------------

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

-- When the url last changed; null: it never did. A new url may be a stranger's edit of an open map.
alter table sport_centers add column url_changed_at timestamptz;
create function note_sport_center_url() returns trigger language plpgsql as $$
begin
  new.url_changed_at := now();
  return new;
end $$;
create trigger sport_centers_note_url before update of url on sport_centers
for each row when (old.url is distinct from new.url) execute function note_sport_center_url();

-- Where an operator ended a manager's right, only an operator makes the next one.
create index audit_entries_revoked_managers on audit_entries ((details ->> 'sport_center_id'))
where act = 'manager_revoked';
