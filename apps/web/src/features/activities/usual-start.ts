import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { ActivityView } from './data/activity-view.ts';
import type { StartCenter } from './ops/activity-ops.ts';

/** How many of the latest activities decide. */
const LATEST_COUNT = 20;

/** What an athlete most often starts: a center with its one sport, and the intensity of the last time. */
export interface UsualStart {
  center: StartCenter;
  intensity: Intensity | null;
}

/**
 * Returns the sport and center of most of these activities (newest first); the newer one wins a tie. null: there are no
 * activities that the server took.
 */
export function findUsualStart(activities: readonly ActivityView[]): UsualStart | null {
  const counts = new Map<string, { newest: ActivityView; count: number }>();
  for (const activity of activities.filter(({ proof }) => proof !== 'refused').slice(0, LATEST_COUNT)) {
    const key = `${activity.sport_type} ${activity.sport_center_id}`;
    const { newest, count } = counts.get(key) ?? { newest: activity, count: 0 };
    counts.set(key, { newest, count: count + 1 });
  }
  // The order of the map is that of the newest activities, and the sort is stable.
  const [usual] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (!usual) return null;
  const { sport_center_id: id, sport_center_name: name, sport_type, intensity } = usual.newest;
  return { center: { id, name, sports: [sport_type] }, intensity };
}
