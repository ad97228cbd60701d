-- A session is bound to a key of the browser that began it: the SHA-256 of the public half (RFC 7638), null for none.
alter table sessions add column key_thumbprint text;
create index sessions_by_key on sessions (key_thumbprint) where ended_at is null and key_thumbprint is not null;

-- The ids of proofs that were used a moment ago: each is good once.
create table used_proofs (
  id_hash bytea primary key,
  used_at timestamptz not null
);
create index used_proofs_by_time on used_proofs (used_at);
