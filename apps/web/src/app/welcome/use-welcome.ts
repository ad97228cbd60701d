import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useActivities } from '#web/features/activities/data/use-activities.ts';
import { useBioInfo } from '#web/features/bio-info/bio-info-client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery } from '#web/shared/data/settings.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { PATHS } from '#web/shared/paths.ts';
import { useNamePostponed } from './use-name-postponed.ts';

/** Screens that no question interrupts: camera, code, timer, set-up, and the work of operators and a center's staff. */
const BUSY_PATH = /^\/(qr\/|activities\/|setup|manage|sport-centers\/.+\/)/;
/** Screens that show boards, points and who sees the user. */
const BODY_PATHS: readonly string[] = [PATHS.dashboard, PATHS.leaderboards, PATHS.profile];

interface Welcome {
  is_name_due: boolean;
  postponeName: () => void;
  /** The age matters on this screen. */
  is_body_due: boolean;
}

/**
 * Which question a user is asked now. The name, if they have none. Body data only once it matters: the age decides who
 * is on public boards and whom friends see at a center. Nothing while an activity is running.
 */
export function useWelcome(): Welcome {
  const [path] = useLocation();
  const user = useUser();
  const bio = useBioInfo();
  const settings = useQuery(getSettingsQuery(user.id)).data;
  const { name_postponed, postponeName } = useNamePostponed(user.id);
  const updates_held = useUpdatesHeld();
  const { activities, loading } = useActivities();

  const is_bio_answered = bio.check === 'first_time' || bio.check === 'loaded';
  const should_ask_name = settings?.display_name === null && name_postponed === false && is_bio_answered;
  const is_maybe_active = loading || activities.some(({ status }) => status === 'active');
  const is_busy = is_maybe_active || updates_held || BUSY_PATH.test(path);
  const is_visible = settings?.presence || activities.some(({ points }) => points > 0);
  const is_age_relevant = path === PATHS.leaderboards || (is_visible && BODY_PATHS.includes(path));
  return {
    is_name_due: should_ask_name && !is_busy,
    postponeName,
    is_body_due: Boolean(is_age_relevant) && settings !== undefined && !should_ask_name && !is_busy,
  };
}
