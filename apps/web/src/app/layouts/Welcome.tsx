import { useActivities } from '#web/features/activities/use-activities.ts';
import { WelcomeGate } from './WelcomeGate.tsx';

/** What a first-time user is asked, but not while an activity runs. */
export function Welcome() {
  const { activities, loading } = useActivities();
  return <WelcomeGate held={loading || activities.some(({ status }) => status === 'active')} />;
}
