import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useActivities } from '#web/features/activities/record/use-activities.ts';
import { BodyQuestion } from '#web/features/bio-info/BodyQuestion.tsx';
import { useBioInfo } from '#web/features/bio-info/bio-info-client.ts';
import { NameForm } from '#web/features/users/NameForm.tsx';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery } from '#web/shared/data/settings.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useNamePostponed } from './use-name-postponed.ts';

/** Screens that no question interrupts: camera, code, timer, set-up, and the work of operators and a center's staff. */
const BUSY_PATH = /^\/(qr\/|activities\/|setup|manage|sport-centers\/.+\/)/;
/** Screens that show boards, points and who sees the user. */
const BODY_PATHS: readonly string[] = [PATHS.dashboard, PATHS.leaderboards, PATHS.profile];

/**
 * Asks a user without a display name for one. Asks for body data only once it matters: the age decides who is
 * on public boards and whom friends see at a center. Mounted once; asks nothing while an activity is running.
 */
export function WelcomeFlow() {
  const { t } = useTranslation(['users', 'shell']);
  const [path] = useLocation();
  const user = useUser();
  const bio = useBioInfo(true);
  const settings = useQuery(getSettingsQuery(user.id)).data;
  const { name_postponed, postponeName } = useNamePostponed(user.id);
  const updates_held = useUpdatesHeld();
  const { activities, loading } = useActivities();

  const is_bio_answered = bio.check === 'first_time' || bio.check === 'loaded';
  // Earlier versions of the app saved one "Later" for both questions.
  const is_name_unanswered = name_postponed === false && !bio.postponed;
  const should_ask_name = settings?.display_name === null && is_name_unanswered && is_bio_answered;
  const is_maybe_active = loading || activities.some(({ status }) => status === 'active');
  const busy = is_maybe_active || updates_held || BUSY_PATH.test(path);
  const is_visible = settings?.presence || activities.some(({ points }) => points > 0);
  const is_age_relevant = path === PATHS.leaderboards || (is_visible && BODY_PATHS.includes(path));
  return (
    <>
      <Sheet
        open={should_ask_name && !busy}
        onOpenChange={postponeName}
        title={t('users:welcome.nameTitle')}
        description={t('users:welcome.nameText')}
      >
        <NameForm user_id={user.id} name={user.name} submit_label={t('shell:save')} onSaved={() => {}}>
          <Button wide kind="quiet" onClick={postponeName}>
            {t('users:welcome.later')}
          </Button>
        </NameForm>
      </Sheet>
      <BodyQuestion is_due={Boolean(is_age_relevant) && settings !== undefined && !should_ask_name && !busy} />
    </>
  );
}
