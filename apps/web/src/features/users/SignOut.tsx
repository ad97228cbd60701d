import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { session } from '#web/shared/api/client.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';

/** Ends the session. With unsent steps it asks first whether they stay on this device. */
export function SignOut({ user_id }: { user_id: string }) {
  const { t } = useTranslation('users');
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const [unsent, setUnsent] = useState(0);

  const leave = async () => {
    setUnsent(0);
    setBusy(true);
    const to = await session.logout();
    // The provider may want to end its own session on a page of its own.
    if (URL.canParse(to)) location.assign(to);
    else navigate(to, { replace: true });
  };
  const ask = async () => {
    // A database that can't be read has nothing that could be kept or discarded.
    const count = await outbox.pendingCount(user_id).catch(() => 0);
    if (count === 0) return leave();
    setUnsent(count);
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
        <Sheet
          open
          onOpenChange={() => setUnsent(0)}
          title={t('unsent.title', { count: unsent })}
          description={t('unsent.text')}
        >
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
