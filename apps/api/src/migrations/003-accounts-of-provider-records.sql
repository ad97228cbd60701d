-- The account of each record. The database fills it, also for rows that nodes of the version before still write.
delete from provider_records where expires_at < now() - interval '1 minute';
alter table provider_records add column account_id uuid generated always as (
  coalesce(
    payload #>> '{result,login,accountId}', payload ->> 'accountId', payload #>> '{session,accountId}'
  )::uuid
) stored;
create index provider_records_by_account on provider_records (account_id) where account_id is not null;
