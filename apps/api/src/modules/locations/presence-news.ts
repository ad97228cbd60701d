import { isFreshLocation, maySharePresence } from '@sendlap/domain/locations.ts';
import type { Database } from '#api/database/database.ts';
import type { Events } from '#api/events/events.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { listSharers } from './store.ts';

export type PresenceNews = ReturnType<typeof createPresenceNews>;

interface PresenceNewsOptions {
  database: Database;
  events: Pick<Events, 'whisper'>;
  friends: Pick<FriendService, 'listFriendIds'>;
  now: () => Date;
}

/**
 * Tells friends only to reload who is at a center: names the centers, not the user. Sends nothing about a user who does
 * not share their location or is too young to.
 */
export function createPresenceNews({ database, events, friends, now }: PresenceNewsOptions) {
  const readShared = async (user_id: string) => {
    const [sharer] = await listWilling([user_id]);
    const { located_at = null, sport_center_id = null } = sharer ?? {};
    return located_at && isFreshLocation(located_at.getTime(), now().getTime()) ? sport_center_id : null;
  };
  const listWilling = async (user_ids: string[]) =>
    (await listSharers(database, user_ids)).filter(({ age }) => maySharePresence(age));
  const tell = async (user_id: string, centers: (string | null)[]) => {
    const sport_center_ids = centers.filter((id) => id !== null);
    events.whisper(await friends.listFriendIds(user_id), { type: 'presence_changed', sport_center_ids });
  };

  return {
    /**
     * Runs a change of the user's location or of its sharing. Afterwards tells the friends who saw the user at one
     * center, or now see them at another.
     */
    async around<Value>(user_id: string, change: () => Promise<Value>): Promise<Value> {
      const before = await readShared(user_id);
      const value = await change();
      try {
        const after = await readShared(user_id);
        if (after !== before) await tell(user_id, [before, after]);
      } catch {
        // The change is committed; friends also poll now and then.
      }
      return value;
    },

    /** Tells the friends of users whose location at these centers was deleted. */
    async tellGone(gone: { user_id: string; sport_center_id: string | null }[]): Promise<void> {
      const centers = new Map(gone.map(({ user_id, sport_center_id }) => [user_id, sport_center_id]));
      for (const { id } of await listWilling([...centers.keys()])) {
        const sport_center_id = centers.get(id);
        if (sport_center_id) await tell(id, [sport_center_id]);
      }
    },
  };
}
