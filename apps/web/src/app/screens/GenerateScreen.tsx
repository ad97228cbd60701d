import { useSearchParams } from 'wouter';
import { useShownActivity } from '#web/features/activities/use-activities.ts';
import { GeneratePage } from '#web/features/qr/GeneratePage.tsx';

/** The code of the activity in the address, or of the last one that nobody has confirmed. */
export function GenerateScreen() {
  const [query] = useSearchParams();
  const { activity, loading } = useShownActivity(query.get('activity'));
  return <GeneratePage activity={activity} loading={loading} />;
}
