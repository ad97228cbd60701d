create extension if not exists btree_gist;

create table users (
  id uuid primary key,
  public_id text not null unique check (public_id ~ '^[a-z0-9_.-]{3,30}$'),
  email text not null default '',
  name text not null,
  display_name text,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

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
  reissued_on date
);
create index sessions_by_user on sessions (user_id) where ended_at is null;
create index sessions_by_end on sessions (ended_at) where ended_at is not null;

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

-- Private keys are encrypted by a secret outside the database.
create table signing_keys (
  id text primary key,
  purpose text not null,
  private_jwk bytea not null,
  created_at timestamptz not null default now()
);

create table provider_accounts (
  id uuid primary key,
  email text not null,
  display_name text not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index provider_accounts_by_email on provider_accounts (lower(email));

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

-- Each user's event stream has its own gapless counter, assigned under the counter's row lock.
create table user_event_counters (
  user_id uuid primary key references users (id),
  last_seq bigint not null
);
create table user_events (
  user_id uuid not null references users (id),
  seq bigint not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
