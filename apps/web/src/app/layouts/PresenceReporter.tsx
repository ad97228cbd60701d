import { useQuery } from '@tanstack/react-query';
import { useActivities } from '#web/features/activities/data/use-activities.ts';
import { LocationReporter } from '#web/features/locations/LocationReporter.tsx';
import { getSettingsQuery } from '#web/shared/data/settings.ts';

/** Reports the athlete's location to the server while friends may see it. */
export function PresenceReporter({ user_id }: { user_id: string }) {
  const { data } = useQuery(getSettingsQuery(user_id));
  return data?.presence ? <LocationReporterAtActivity user_id={user_id} /> : null;
}

function LocationReporterAtActivity({ user_id }: { user_id: string }) {
  const { activities } = useActivities();
  const running = activities.find(({ status }) => status === 'active');
  return <LocationReporter user_id={user_id} sport_center_id={running?.sport_center_id ?? null} />;
}
