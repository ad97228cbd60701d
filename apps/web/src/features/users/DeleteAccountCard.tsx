import { deleteMe, type User } from '@sendlap/contract/users.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { saveSignInNotice } from '#web/shared/navigation/sign-in-notice.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Field } from '#web/shared/ui/controls/Field.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';
import { useSignOut } from './use-sign-out.ts';

const CONSEQUENCES = [
  { icon: 'shield', text: 'account.deleteLocked' },
  { icon: 'trash', text: 'account.deleteErased' },
  { icon: 'sync', text: 'account.deleteUndo' },
  { icon: 'user', text: 'account.deleteOthers' },
] as const satisfies { icon: IconName; text: string }[];

/** Explains a deletion, and opens its form. */
export function DeleteAccountCard({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const [open, setOpen] = useState(false);
  return (
    <Card as="section" className="flex flex-col gap-3">
      <h2 className="text-xl font-bold">{t('account.deleteTitle')}</h2>
      <ul className="flex flex-col gap-2.5 text-ink-soft">
        {CONSEQUENCES.map(({ icon, text }) => (
          <li key={text} className="flex items-start gap-3">
            <Icon name={icon} size={22} className="mt-0.5 shrink-0 text-ink-faint" />
            {t(text)}
          </li>
        ))}
      </ul>
      <NetworkButton wide kind="danger" icon="trash" className="mt-1" onClick={() => setOpen(true)}>
        {t('account.delete')}
      </NetworkButton>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={t('account.confirmTitle')}
        description={`${t('account.deleteLocked')} ${t('account.deleteErased')}`}
      >
        <DeleteAccountForm user={user} />
      </Sheet>
    </Card>
  );
}

/**
 * A second confirmation, not to be given by accident: the user types the public id. Then the account is locked and this
 * device is signed out.
 */
function DeleteAccountForm({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const signOut = useSignOut();
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [unsent, setUnsent] = useState(0);
  useEffect(() => {
    outbox.store.countLocalOnly(user.id).then(setUnsent, () => setUnsent(0));
  }, [user.id]);

  const deleteAccount = async () => {
    setBusy(true);
    setError(null);
    try {
      await call(deleteMe, {}, { expected_user_id: user.id });
      await outbox.store.discardAll(user.id).catch(() => {});
      saveSignInNotice('account_deleted');
      await signOut();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const is_match = typed.trim().toLowerCase() === user.public_id;
    setMismatch(!is_match);
    if (is_match) void deleteAccount();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-1">
      {unsent > 0 && <Problem>{t('account.confirmUnsent', { count: unsent })}</Problem>}
      <Field
        label={t('account.confirmLabel', { id: user.public_id })}
        error={mismatch ? t('account.confirmMismatch') : null}
        value={typed}
        is_code
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
      />
      {error !== null && <Problem>{errorText(error)}</Problem>}
      <NetworkButton type="submit" wide kind="danger" busy={busy} disabled={typed === ''}>
        {t('account.confirm')}
      </NetworkButton>
    </form>
  );
}
