import type { User } from '@sendlap/contract/users.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { Field } from '#web/shared/ui/Field.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { leaveDeletionNotice } from './door-notice.ts';
import { deleteAccount } from './queries.ts';
import { useLeave } from './use-leave.ts';

/** The second question, which nobody answers by accident; then the account is locked and this device signed out. */
export function DeleteAccountForm({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const errorText = useErrorText();
  const goToLogin = useLeave();
  const [typed, setTyped] = useState('');
  const [mismatch, setMismatch] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [unsent, setUnsent] = useState(0);
  useEffect(() => {
    outbox.keptCount(user.id).then(setUnsent, () => setUnsent(0));
  }, [user.id]);

  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await deleteAccount(user.id);
      await outbox.discardAll(user.id).catch(() => {});
      leaveDeletionNotice();
      await goToLogin();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const right = typed.trim().toLowerCase() === user.public_id;
    setMismatch(!right);
    if (right) void remove();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-1">
      {unsent > 0 && <Problem>{t('account.confirmUnsent', { count: unsent })}</Problem>}
      <Field
        label={t('account.confirmLabel', { id: user.public_id })}
        error={mismatch ? t('account.confirmMismatch') : null}
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
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
