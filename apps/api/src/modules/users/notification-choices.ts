import type { NotificationChanges, NotificationChoices } from '@sendlap/contract/users.ts';
import { isTimeZone } from '@sendlap/domain/dates.ts';
import { formatMinuteOfDay, parseMinuteOfDay } from '@sendlap/domain/quiet-hours.ts';
import { type Database, databaseErrorCode, FOREIGN_KEY_VIOLATION, type Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';

/** Defaults for a user who has chosen nothing yet: all notifications, but without message texts. */
const DEFAULT_CHOICES: NotificationChoices = {
  messages: true,
  friends: true,
  proofs: true,
  show_text: false,
  quiet_hours: null,
};

export async function readNotificationChoices(database: Database, user_id: string): Promise<NotificationChoices> {
  const row = await database
    .selectFrom('notification_choices')
    .select(['messages', 'friends', 'proofs', 'show_text', 'quiet_from', 'quiet_until', 'time_zone'])
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  if (!row) return DEFAULT_CHOICES;
  const { quiet_from: from, quiet_until: until, time_zone, ...kinds } = row;
  const has_no_quiet_hours = from === null || until === null;
  return {
    ...kinds,
    quiet_hours: has_no_quiet_hours
      ? null
      : { from: formatMinuteOfDay(from), until: formatMinuteOfDay(until), time_zone },
  };
}

/** Throws `validation_failed` for an invalid time zone. */
export function checkNotificationChanges({ quiet_hours }: NotificationChanges): void {
  if (!quiet_hours || isTimeZone(quiet_hours.time_zone)) return;
  const path = 'body/notifications/quiet_hours/time_zone';
  const message = 'must be a time zone';
  throw new AppError('validation_failed', `${path}: ${message}`, { details: [{ path, message }] });
}

/**
 * One statement, so that concurrent changes from two devices both survive; fields never chosen get the table's
 * defaults. Throws `unauthenticated` for a user who no longer exists.
 */
export async function saveNotificationChanges(
  trx: Database | Trx,
  user_id: string,
  { quiet_hours, ...kinds }: NotificationChanges,
): Promise<void> {
  const changes = { ...kinds, ...(quiet_hours === undefined ? {} : toColumns(quiet_hours)) };
  if (Object.keys(changes).length === 0) return;
  try {
    await trx
      .insertInto('notification_choices')
      .values({ user_id, ...changes })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
      .execute();
  } catch (error) {
    if (databaseErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new AppError('unauthenticated', 'This account is no longer there', { cause: error });
  }
}

function toColumns(hours: NotificationChoices['quiet_hours']) {
  if (hours === null) return { quiet_from: null, quiet_until: null, time_zone: 'UTC' };
  return {
    quiet_from: parseMinuteOfDay(hours.from),
    quiet_until: parseMinuteOfDay(hours.until),
    time_zone: hours.time_zone,
  };
}
