import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useSignOut } from './use-sign-out.ts';
import { useUnsentCount } from './use-unsent-count.ts';

/** Ends the session. With unsent work, asks first whether to keep it on this device. */
export function SignOut({ user_id }: { user_id: string }) {
  const { t } = useTranslation(['users', 'outbox']);
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);
  const [discard_failed, setDiscardFailed] = useState(false);
  const { unsent, can_seal, count, discard, resetCount } = useUnsentCount(user_id);

  const finishSignOut = () => {
    resetCount();
    setBusy(true);
    return signOut();
  };
  const handleSignOut = async () => {
    setDiscardFailed(false);
    if ((await count()) === 0) await finishSignOut();
  };
  const discardAndSignOut = async () => {
    setDiscardFailed(false);
    if (await discard()) await finishSignOut();
    else setDiscardFailed(true);
  };

  return (
    <>
      <Button wide kind="danger" icon="sign-out" busy={busy} onClick={() => void handleSignOut()}>
        {t(busy ? 'signingOut' : 'signOut')}
      </Button>
      {unsent > 0 && (
        <Sheet
          open
          onOpenChange={resetCount}
          title={t('unsent.title', { count: unsent })}
          description={t(can_seal ? 'unsent.text' : 'unsent.unsealedText')}
        >
          <div className="flex flex-col gap-3 pt-2">
            {discard_failed && <Problem>{t('outbox:discardFailed')}</Problem>}
            <Button wide onClick={() => void finishSignOut()}>
              {t('unsent.keep')}
            </Button>
            <Button wide kind="danger" onClick={() => void discardAndSignOut()}>
              {t('unsent.discard')}
            </Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
