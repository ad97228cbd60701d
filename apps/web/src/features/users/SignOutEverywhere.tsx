import { endAllSessions } from '@sendlap/contract/users.ts';
import { useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useSignOut } from './use-sign-out.ts';
import { useUnsentCount } from './use-unsent-count.ts';

/** Ends all sessions after a confirmation, which also asks about this device's unsent ops. */
export function SignOutEverywhere({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const signOut = useSignOut();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { unsent, can_seal, count, discard } = useUnsentCount(user_id);

  const openConfirmation = async () => {
    setProblem(null);
    await count();
    setOpen(true);
  };
  const signOutEverywhere = async (chose_discard: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      await call(endAllSessions, {}, { expected_user_id: user_id });
      // This session has ended too: work that could not be discarded waits on the sign-in page, which says so.
      if (chose_discard) await discard();
      await signOut();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };

  return (
    <>
      <NetworkButton wide kind="danger" icon="sign-out" onClick={() => void openConfirmation()}>
        {t('devices.everywhere')}
      </NetworkButton>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={t('devices.everywhereTitle')}
        description={t('devices.everywhereText')}
      >
        <div className="flex flex-col gap-3 pt-2">
          {unsent > 0 && (
            <p>
              <span className="font-semibold">{t('unsent.title', { count: unsent })}.</span>{' '}
              {t(can_seal ? 'unsent.text' : 'unsent.unsealedText')}
            </p>
          )}
          {problem !== null && <Problem>{problem}</Problem>}
          <NetworkButton
            wide
            kind={unsent > 0 ? 'primary' : 'danger'}
            busy={busy}
            onClick={() => void signOutEverywhere(false)}
          >
            {t(unsent > 0 ? 'unsent.keep' : 'devices.everywhere')}
          </NetworkButton>
          {unsent > 0 && (
            <NetworkButton wide kind="danger" disabled={busy} onClick={() => void signOutEverywhere(true)}>
              {t('unsent.discard')}
            </NetworkButton>
          )}
        </div>
      </Sheet>
    </>
  );
}
