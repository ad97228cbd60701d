import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useLeave } from './use-leave.ts';
import { useUnsentCount } from './use-unsent-count.ts';

/** Ends the session. With unsent ops, asks first whether to keep them on this device. */
export function SignOut({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const goToLogin = useLeave();
  const [busy, setBusy] = useState(false);
  const { unsent, count, forget } = useUnsentCount(user_id);

  const leave = () => {
    forget();
    setBusy(true);
    return goToLogin();
  };
  const ask = async () => {
    if ((await count()) === 0) await leave();
  };
  const discard = async () => {
    await outbox.discardAll(user_id);
    return leave();
  };

  return (
    <>
      <Button wide kind="danger" icon="sign-out" busy={busy} onClick={() => void ask()}>
        {t(busy ? 'signingOut' : 'signOut')}
      </Button>
      {unsent > 0 && (
        <Sheet open onOpenChange={forget} title={t('unsent.title', { count: unsent })} description={t('unsent.text')}>
          <div className="flex flex-col gap-3 pt-2">
            <Button wide onClick={() => void leave()}>
              {t('unsent.keep')}
            </Button>
            <Button wide kind="danger" onClick={() => void discard()}>
              {t('unsent.discard')}
            </Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
