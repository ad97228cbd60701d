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

/** Screens on which the user's hands are full: camera, code, timer. */
const BUSY_PLACES = ['/qr/', '/activities/'];

/**
 * Asks new users for a display name, if they have none, and for body data. Mounted once in the signed-in layout; asks
 * nothing while an activity is running.
 */
export function WelcomeGate() {
  const { t } = useTranslation('users');
  const [path] = useLocation();
  const user = useUser();
  const bio = useBioInfo(true);
  const settings = useQuery(getSettingsQuery(user.id));
  const updates_held = useUpdatesHeld();
  const { activities, loading } = useActivities();

  const answered = bio.check === 'first_time' || bio.check === 'loaded';
  const asks_name = settings.data?.display_name === null && !bio.postponed && answered;
  const asks_body = isBioInfoModalShown(bio) && !settings.isPending;
  const held = loading || activities.some(({ status }) => status === 'active');
  const busy = held || updates_held || BUSY_PLACES.some((place) => path.startsWith(place));
  const open = (asks_name || asks_body) && !busy;

  const later = () => {
    bioInfoFlow.postpone();
    bioInfoFlow.settle();
  };
  const laterButton = (
    <Button wide kind="quiet" onClick={later}>
      {t('welcome.later')}
    </Button>
  );
  return (
    <Sheet
      open={open}
      onOpenChange={later}
      title={t(asks_name ? 'welcome.nameTitle' : 'welcome.bodyTitle')}
      description={t(asks_name ? 'welcome.nameText' : 'body.why')}
    >
      {asks_name ? (
        <NameForm user_id={user.id} name={user.name} submit={t('welcome.next')} onSaved={() => {}}>
          {laterButton}
        </NameForm>
      ) : (
        <BodyEditor onDone={() => bioInfoFlow.settle()}>{laterButton}</BodyEditor>
      )}
    </Sheet>
  );
}
