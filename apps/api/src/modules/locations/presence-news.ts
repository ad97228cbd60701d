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
 * Tells friends, and nobody else, that they are to look again who is at a center: which centers, and not whom it is about.
 * Of those who do not share where they are, or are too young to, nothing is told.
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
     * Makes a change of where somebody is, or of whether friends may know. Those who saw the user at one center, or see them
     * at another now, are told after it.
     */
    async around<Value>(user_id: string, change: () => Promise<Value>): Promise<Value> {
      const before = await readShared(user_id);
      const value = await change();
      try {
        const after = await readShared(user_id);
        if (after !== before) await tell(user_id, [before, after]);
      } catch {
        // The change stands; friends also look by themselves now and then.
      }
      return value;
    },

    /** Tells the friends of those who were at these centers until their location was forgotten. */
    async tellGone(gone: { user_id: string; sport_center_id: string | null }[]): Promise<void> {
      const centers = new Map(gone.map(({ user_id, sport_center_id }) => [user_id, sport_center_id]));
      for (const { id } of await listWilling([...centers.keys()])) {
        const sport_center_id = centers.get(id);
        if (sport_center_id) await tell(id, [sport_center_id]);
      }
    },
  };
}
