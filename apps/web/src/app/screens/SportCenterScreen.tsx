import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { useLocation, useParams } from 'wouter';
import { StartActivity } from '#web/features/activities/StartActivity.tsx';
import { SportCenterPage } from '#web/features/sport-centers/SportCenterPage.tsx';
import { useSession } from '#web/shared/api/use-session.ts';
import { PATHS } from '../paths.ts';

/** A center's page at its address, with the start of an activity for whoever is signed in. */
export function SportCenterScreen() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useSession();
  const [, navigate] = useLocation();
  const goBack = () => (history.length > 1 ? history.back() : navigate(PATHS.sportCenters));
  return <SportCenterPage center_id={id} onBack={goBack} renderStart={user ? renderStart : undefined} />;
}

function renderStart({ id, name, sport_facilities }: SportCenter) {
  return <StartActivity center={{ id, name, sports: sport_facilities.map(({ type }) => type) }} />;
}
