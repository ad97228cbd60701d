import type { Activity } from '@sendlap/contract/activities.ts';
import { type Cached, openCache, orElse, stamp } from './database.ts';

/** The last copies of this user's activities, newest start first, with when they were fetched. */
export async function loadActivities(user_id: string): Promise<Cached<Activity>[]> {
  return orElse(
    openCache().then(async (database) => {
      const copies = await database.getAllFromIndex('activities', 'owner', user_id);
      return copies.sort((a, b) => b.value.started_at.localeCompare(a.value.started_at));
    }),
    [],
  );
}

export async function loadActivity(user_id: string, client_id: string): Promise<Cached<Activity> | null> {
  return orElse(
    openCache().then(async (database) => (await database.get('activities', [user_id, client_id])) ?? null),
    null,
  );
}

/** Keeps what the server said about this user's activities. */
export async function saveActivities(user_id: string, activities: Activity[]): Promise<void> {
  await orElse(
    openCache().then(async (database) => {
      const transaction = database.transaction('activities', 'readwrite');
      for (const activity of activities) {
        await transaction.store.put({ ...stamp(activity, Date.now()), user_id, client_id: activity.client_id });
      }
      await transaction.done;
    }),
    undefined,
  );
}
