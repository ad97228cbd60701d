import { useLocation } from 'wouter';
import { BodyQuestion } from '#web/features/bio-info/BodyQuestion.tsx';
import { useBioInfo } from '#web/features/bio-info/bio-info-client.ts';
import { NameForm } from '#web/features/users/NameForm.tsx';
import { useUser } from '#web/shared/api/use-session.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { PATHS } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useWelcome } from './use-welcome.ts';

/** Asks for the display name, and for body data except on the boards, which ask by themselves. Mounted once. */
export function WelcomeFlow() {
  const { t } = useTranslation(['users', 'shell']);
  const [path] = useLocation();
  const user = useUser();
  useBioInfo(true);
  const { is_name_due, postponeName, is_body_due } = useWelcome();
  return (
    <>
      <Sheet
        open={is_name_due}
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
      <BodyQuestion is_due={is_body_due && path !== PATHS.leaderboards} />
    </>
  );
}
