import type { AccountState } from '@sendlap/contract/server-management/people.ts';
import { sql } from 'kysely';

/** The state of the account of a user `u`. */
export const ACCOUNT_STATE = sql<AccountState>`
  case when u.suspended_at is not null then 'suspended' when u.is_active then 'active' else 'leaving' end`;
