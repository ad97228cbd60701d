import type { Settings, updateSettings } from '@sendlap/contract/users.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { canSharePresence, PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import { cleanText, MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import type { Trx } from '#api/database/database.ts';
import { changeVisibility } from '#api/modules/leaderboards/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { checkNotificationChanges, readNotificationChoices, saveNotificationChanges } from './notification-choices.ts';
import type { ChangeContext } from './service.ts';

const REFUSALS = {
  presence_not_allowed: `Friends see where you train only from the age of ${PRESENCE_MIN_AGE} on`,
  boards_not_allowed: `Public boards show you only from the age of ${PRESENCE_MIN_AGE} on`,
};

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService({
  database,
  events,
  users,
  presence: presence_notifier,
}: Omit<ChangeContext, 'now'>) {
  /** `presence` and `boards` are false for a user too young by their bio info, whatever they once chose. */
  const getSettings = async (user_id: string): Promise<Settings> => {
    const row = await database
      .selectFrom('users')
      .leftJoin('bio_info', 'bio_info.user_id', 'users.id')
      .select(['display_name', 'presence', 'boards', 'age'])
      .where('users.id', '=', user_id)
      .executeTakeFirst();
    if (!row) throw new AppError('unauthenticated', 'This account is no longer there');
    const { display_name, presence, boards, age } = row;
    const is_old_enough = canSharePresence(age);
    const notifications = await readNotificationChoices(database, user_id);
    return { display_name, presence: presence && is_old_enough, boards: boards && is_old_enough, notifications };
  };
  return {
    getSettings,
    /**
     * Applies all changes or none. Throws `validation_failed` for a name that is empty after cleaning or longer than 40
     * code points, and for an invalid time zone; `presence_not_allowed` or `boards_not_allowed` if a user under 16
     * switches that on.
     */
    async updateSettings(
      user_id: string,
      { display_name, presence, boards, notifications }: ParsedRequest<typeof updateSettings>['body'],
    ): Promise<Settings> {
      if (notifications) checkNotificationChanges(notifications);
      const name = display_name === undefined ? undefined : checkName(cleanText(display_name).normalize('NFC'));
      const changes = {
        ...(name === undefined ? {} : { display_name: name, name }),
        ...(presence === undefined ? {} : { presence }),
        ...(boards === undefined ? {} : { boards }),
      };
      if (Object.keys(changes).length === 0) {
        if (notifications) await saveNotificationChanges(database, user_id, notifications);
      } else {
        const change = async (trx: Trx) => {
          if (presence || boards)
            await assertOldEnough(trx, user_id, presence ? 'presence_not_allowed' : 'boards_not_allowed');
          await trx.updateTable('users').set(changes).where('id', '=', user_id).execute();
          // The location was shared for friends only, so it is deleted.
          if (presence === false) await trx.deleteFrom('user_locations').where('user_id', '=', user_id).execute();
          if (notifications) await saveNotificationChanges(trx, user_id, notifications);
        };
        await presence_notifier.runAndNotify(user_id, () => changeVisibility(events, user_id, change));
        users.recordChange(user_id);
      }
      return getSettings(user_id);
    },
  };
}

/** The user's row is locked, so the bio info cannot change until the transaction ends. */
async function assertOldEnough(trx: Trx, user_id: string, code: keyof typeof REFUSALS): Promise<void> {
  const bio = await trx.selectFrom('bio_info').select('age').where('user_id', '=', user_id).executeTakeFirst();
  if (!canSharePresence(bio?.age ?? null)) throw new AppError(code, REFUSALS[code]);
}

function checkName(name: string): string {
  const length = [...name].length;
  if (length > 0 && length <= MAX_DISPLAY_NAME_LENGTH) return name;
  const message = length === 0 ? 'must not be empty' : `must have at most ${MAX_DISPLAY_NAME_LENGTH} characters`;
  throw new AppError('validation_failed', `body/display_name: ${message}`, {
    details: [{ path: 'body/display_name', message }],
  });
}
