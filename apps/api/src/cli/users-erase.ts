import { Command } from '@commander-js/extra-typings';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { createEventWriter } from '#api/events/events.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { lockAccount } from '#api/modules/users/deletion.ts';
import { eraseUser } from '#api/modules/users/erase-user.ts';
import { findUserByPublicId } from '#api/modules/users/service.ts';
import { endSessions } from '#api/sessions/end-sessions.ts';
import { defineCommand, RefusedError } from './command.ts';

export const command = defineCommand({
  noun: 'users',
  verb: 'erase',
  summary: 'lock an account and erase it, after 7 days or at once',
  description: `Locks an account and signs it out everywhere. It is erased after 7 days; until then its owner can undo that by signing
in. Points that others earned through it, as a referee, stay.`,
  json: 'the outcome',
  exit_codes: '0 locked or erased, 1 no such athlete',
  declare: () =>
    new Command().argument('<public-id>', 'the athlete').option('--now', "erase it at once; this can't be undone"),
  async run({ database }, options, public_id) {
    const user = await findUserByPublicId(database, public_id);
    if (!user || user.id === DELETED_USER_ID) throw new RefusedError(`There is no user ${public_id}.`);
    const now = new Date();
    const locked_until = await lockAccount(createEventWriter(database), user.id, {
      now,
      ...(options.now && { grace_ms: 0 }),
      alsoRun: (trx) => recordAudit(trx, { act: 'erasure_requested', actor_id: null, subject_id: user.id }),
    });
    // After the lock: a session that began earlier is found here, and a later one finds the account locked.
    await database.transaction().execute((trx) => endSessions(trx, { user_id: user.id }, 'account_locked'));
    const erased = options.now ? await eraseUser(database, user.id, now) : false;
    const erase_after = erased ? null : (locked_until?.toISOString() ?? null);
    return {
      data: { public_id, erased, erase_after },
      text: erased ? `${public_id} is erased.\n` : `${public_id} is locked, and erased after ${erase_after}.\n`,
    };
  },
});
