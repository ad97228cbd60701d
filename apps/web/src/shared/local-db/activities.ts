import type { Activity } from '@sendlap/contract/activities.ts';
import { openCache, toCached, withFallback } from './database.ts';
import type { Cached } from './schema.ts';
import { tryWrite } from './try-write.ts';

/** Returns the copies of this user's activities, newest start first, with the time of their fetch. */
export async function loadActivities(user_id: string): Promise<Cached<Activity>[]> {
  return withFallback(
    openCache().then(async (database) => {
      const copies = await database.getAllFromIndex('activities', 'owner', user_id);
      return copies.sort((a, b) => b.value.started_at.localeCompare(a.value.started_at));
    }),
    [],
  );
}

export async function loadActivity(user_id: string, client_id: string): Promise<Cached<Activity> | null> {
  return withFallback(
    openCache().then(async (database) => (await database.get('activities', [user_id, client_id])) ?? null),
    null,
  );
}

/** Copies the server's answer about this user's activities, including deleted ones; not if the user has signed out since. */
export async function saveActivities(
  user_id: string,
  activities: Activity[],
  isSignedIn: () => boolean,
): Promise<void> {
  await tryWrite(['activities'], async (transaction) => {
    if (!isSignedIn()) return;
    const store = transaction.objectStore('activities');
    for (const activity of activities) {
      const { client_id } = activity;
      if (activity.status === 'deleted') await store.delete([user_id, client_id]);
      else await store.put({ ...toCached(activity, Date.now()), user_id, client_id });
    }
  });
}
