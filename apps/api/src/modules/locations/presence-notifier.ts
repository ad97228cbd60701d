import { canSharePresence, isFreshLocation } from '@sendlap/domain/locations.ts';
import type { Database } from '#api/database/database.ts';
import type { Events } from '#api/events/events.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { listSharers } from './store.ts';

export type PresenceNotifier = ReturnType<typeof createPresenceNotifier>;

interface PresenceNotifierOptions {
  database: Database;
  events: Pick<Events, 'sendEphemeral'>;
  friends: Pick<FriendService, 'listFriendIds'>;
  now: () => Date;
}

/**
 * Notifies friends only to reload who is at a center: names the centers, not the user. Sends nothing about a user who
 * does not share their location or is too young to.
 */
export function createPresenceNotifier({ database, events, friends, now }: PresenceNotifierOptions) {
  const findSharedCenter = async (user_id: string) => {
    const [sharer] = await listSharingUsers([user_id]);
    const { located_at = null, sport_center_id = null } = sharer ?? {};
    return located_at && isFreshLocation(located_at.getTime(), now().getTime()) ? sport_center_id : null;
  };
  const listSharingUsers = async (user_ids: string[]) =>
    (await listSharers(database, user_ids)).filter(({ age }) => canSharePresence(age));
  const notifyFriends = async (user_id: string, centers: (string | null)[]) => {
    const sport_center_ids = centers.filter((id) => id !== null);
    events.sendEphemeral(await friends.listFriendIds(user_id), { type: 'presence_changed', sport_center_ids });
  };

  return {
    /**
     * Runs a change of the user's location or of its sharing. Afterwards notifies the friends who saw the user at one
     * center, or now see them at another.
     */
    async runAndNotify<Value>(user_id: string, change: () => Promise<Value>): Promise<Value> {
      const before = await findSharedCenter(user_id);
      const value = await change();
      try {
        const after = await findSharedCenter(user_id);
        if (after !== before) await notifyFriends(user_id, [before, after]);
      } catch {
        // The change is committed; friends also poll now and then.
      }
      return value;
    },

    /** Notifies the friends of users whose location at these centers was deleted. */
    async notifyDeleted(deleted: { user_id: string; sport_center_id: string | null }[]): Promise<void> {
      const centers = new Map(deleted.map(({ user_id, sport_center_id }) => [user_id, sport_center_id]));
      for (const { id } of await listSharingUsers([...centers.keys()])) {
        const sport_center_id = centers.get(id);
        if (sport_center_id) await notifyFriends(id, [sport_center_id]);
      }
    },
  };
}
