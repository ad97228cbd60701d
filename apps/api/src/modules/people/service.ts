import type { createPerson, listPeople, OneTimeLink, Person } from '@sendlap/contract/server-management/people.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import type { Database } from '#api/database/database.ts';
import { grantOperator, inviteOperator, revokeOperator } from '#api/modules/operators/service.ts';
import type { AccountLocks, LockAct, UserService } from '#api/modules/users/service.ts';
import { AppError, cursorInvalid } from '#api/platform/errors.ts';
import { createNewAccounts } from './new-accounts.ts';
import { findPerson, listRefereeRights, listUsers, type PersonRow } from './store.ts';

export type PeopleService = ReturnType<typeof createPeopleService>;

interface Dependencies {
  database: Database;
  users: Pick<UserService, 'findOrCreate'>;
  locks: AccountLocks;
  public_url: string;
  /** Whether this server keeps accounts with passwords itself. */
  has_accounts: boolean;
  now: () => Date;
}

/** The users, as operators manage them. Each act has a line in the audit trail. */
export function createPeopleService({ locks, now, ...dependencies }: Dependencies) {
  const { database, public_url } = dependencies;
  const accounts = createNewAccounts(dependencies);

  /** Throws `user_not_found`. */
  async function getRow(public_id: string): Promise<PersonRow> {
    const row = await findPerson(database, public_id, now());
    if (!row) throw new AppError('user_not_found', 'No user has this public id');
    return row;
  }

  async function getPerson(public_id: string): Promise<Person> {
    const { id, account_id, ...row } = await getRow(public_id);
    return {
      ...row,
      created_at: row.created_at.toISOString(),
      erase_after: row.erase_after?.toISOString() ?? null,
      has_password: account_id !== null,
      referee_at: await listRefereeRights(database, id, now()),
    };
  }

  /** Runs an act on a user; returns them after it. Throws `user_not_found`, and what the act throws. */
  async function change(public_id: string, act: (user_id: string) => Promise<unknown>): Promise<Person> {
    await act((await getRow(public_id)).id);
    return getPerson(public_id);
  }

  return {
    getPerson,
    /** Throws `cursor_invalid`. */
    async listPeople(query: ParsedRequest<typeof listPeople>['query']) {
      if (query.cursor !== undefined && !isUuidV4(query.cursor)) throw cursorInvalid();
      const rows = await listUsers(database, query, now());
      const shown = rows.slice(0, query.limit);
      return {
        items: shown.map(({ id: _id, ...row }) => ({ ...row, created_at: row.created_at.toISOString() })),
        next_cursor: rows.length > query.limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    /** Throws `password_login_unavailable`, `validation_failed`, `email_taken`. */
    async createPerson(body: ParsedRequest<typeof createPerson>['body'], actor_id: string) {
      const { public_id } = await accounts.create(body, actor_id);
      const password_link = await accounts.issuePasswordLink(await getRow(public_id), actor_id);
      return { person: await getPerson(public_id), password_link };
    },
    /** Throws `user_not_found`, `password_login_unavailable`. */
    createPasswordLink: async (public_id: string, actor_id: string) =>
      accounts.issuePasswordLink(await getRow(public_id), actor_id),
    async inviteOperator(actor_id: string): Promise<OneTimeLink> {
      const { url, expires_at } = await inviteOperator(database, public_url, now(), { actor_id });
      return { url, expires_at: expires_at.toISOString() };
    },
    /** Throws `user_not_found`, `conflict` for a locked account. */
    grantOperator: (public_id: string, actor_id: string) =>
      change(public_id, (id) => grantOperator(database, id, actor_id)),
    /** Throws `user_not_found`, `last_operator`. */
    revokeOperator: (public_id: string, actor_id: string) =>
      change(public_id, (id) => revokeOperator(database, id, actor_id)),
    /** Throws `user_not_found`, `user_is_operator`. */
    suspend: (public_id: string, act: LockAct) => change(public_id, (id) => locks.suspend(id, act)),
    /** Throws `user_not_found`. */
    liftSuspension: (public_id: string, act: LockAct) => change(public_id, (id) => locks.liftSuspension(id, act)),
    /** Throws `user_not_found`, `user_is_operator`. */
    erase: (public_id: string, act: LockAct) => change(public_id, (id) => locks.erase(id, act)),
  };
}
