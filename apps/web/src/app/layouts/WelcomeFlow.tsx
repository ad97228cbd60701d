import { isBioInfoModalShown } from '@sendlap/domain/bio-info/bio-info-machine.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useActivities } from '#web/features/activities/record/use-activities.ts';
import { BodyEditor } from '#web/features/bio-info/BodyEditor.tsx';
import { bioInfoFlow, useBioInfo } from '#web/features/bio-info/bio-info-client.ts';
import { NameForm } from '#web/features/users/NameForm.tsx';
import { useUser } from '#web/shared/api/use-session.ts';
import { getSettingsQuery } from '#web/shared/data/settings.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';

/** Screens that no question interrupts: camera, code, timer, set-up, and the work of operators and a center's staff. */
const BUSY_PATH = /^\/(qr\/|activities\/|setup|manage|sport-centers\/.+\/)/;

/**
 * Asks new users for a display name, if they have none, and for body data. Mounted once in the signed-in layout; asks
 * nothing while an activity is running.
 */
export function WelcomeFlow() {
  const { t } = useTranslation('users');
  const [path] = useLocation();
  const user = useUser();
  const bio = useBioInfo(true);
  const settings = useQuery(getSettingsQuery(user.id));
  const updates_held = useUpdatesHeld();
  const { activities, loading } = useActivities();

  const is_bio_answered = bio.check === 'first_time' || bio.check === 'loaded';
  const should_ask_name = settings.data?.display_name === null && !bio.postponed && is_bio_answered;
  const should_ask_body = isBioInfoModalShown(bio) && !settings.isPending;
  const is_maybe_active = loading || activities.some(({ status }) => status === 'active');
  const busy = is_maybe_active || updates_held || BUSY_PATH.test(path);
  const open = (should_ask_name || should_ask_body) && !busy;

  const postpone = () => {
    bioInfoFlow.postpone();
    bioInfoFlow.acknowledgeWrite();
  };
  const postponeButton = (
    <Button wide kind="quiet" onClick={postpone}>
      {t('welcome.later')}
    </Button>
  );
  return (
    <Sheet
      open={open}
      onOpenChange={postpone}
      title={t(should_ask_name ? 'welcome.nameTitle' : 'welcome.bodyTitle')}
      description={t(should_ask_name ? 'welcome.nameText' : 'body.why')}
    >
      {should_ask_name ? (
        <NameForm user_id={user.id} name={user.name} submit_label={t('welcome.next')} onSaved={() => {}}>
          {postponeButton}
        </NameForm>
      ) : (
        <BodyEditor onDone={() => bioInfoFlow.acknowledgeWrite()}>{postponeButton}</BodyEditor>
      )}
    </Sheet>
  );
}
