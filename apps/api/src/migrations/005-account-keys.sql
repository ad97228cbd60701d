-- Databases of a development version may have these already: they stood in 004 for a while.

-- A late copy of a request that saved must not bring back what was deleted since.
create table if not exists deleted_bio_info (
  user_id uuid not null references users (id),
  client_id uuid not null,
  primary key (user_id, client_id)
);

-- What an e-mail is found by. The app folds it, because lower() depends on the database's locale and folds Σ and İ
-- otherwise than the app does.
alter table provider_accounts add column if not exists email_key text;
update provider_accounts set email_key = lower(email) where email_key is null;
alter table provider_accounts alter column email_key set not null;
create unique index if not exists provider_accounts_by_email_key on provider_accounts (email_key);
drop index if exists provider_accounts_by_email;
