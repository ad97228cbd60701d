import type { ReactNode } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { NetworkButton } from '#web/shared/ui/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/Problem.tsx';
import { toast } from '#web/shared/ui/toast.ts';
import { useBlockUser, useRemoveFriend } from './queries.ts';

interface StepProps {
  name: string;
  onBack: () => void;
  onDone: () => void;
}

/** Ends a friendship, after a second press. */
export function RemoveStep({ name, friendship_id, onBack, onDone }: StepProps & { friendship_id: string | null }) {
  const { t } = useTranslation('friends');
  const user = useUser();
  const remove = useRemoveFriend(user.id);
  const confirm = () => {
    // Ended meanwhile, by the other side.
    if (friendship_id === null) return onDone();
    remove.mutate(friendship_id, {
      onSuccess() {
        toast({ title: t('done.removed', { name }), tone: 'success' });
        onDone();
      },
    });
  };
  return (
    <ConfirmStep failed={t('failed.remove')} error={remove.error} onBack={onBack}>
      <NetworkButton kind="danger" wide busy={remove.isPending} onClick={confirm}>
        {t('action.remove')}
      </NetworkButton>
    </ConfirmStep>
  );
}

/** Blocks somebody, after a second press. */
export function BlockStep({ name, user_id, onBack, onDone }: StepProps & { user_id: string }) {
  const { t } = useTranslation('friends');
  const user = useUser();
  const block = useBlockUser(user.id);
  const confirm = () =>
    block.mutate(user_id, {
      onSuccess() {
        toast({ title: t('done.blocked', { name }), tone: 'success' });
        onDone();
      },
    });
  return (
    <ConfirmStep failed={t('failed.block')} error={block.error} onBack={onBack}>
      <NetworkButton kind="danger" wide busy={block.isPending} onClick={confirm}>
        {t('action.block')}
      </NetworkButton>
    </ConfirmStep>
  );
}

interface ConfirmStepProps {
  failed: string;
  error: unknown;
  onBack: () => void;
  /** What does it. */
  children: ReactNode;
}

function ConfirmStep({ failed, error, onBack, children }: ConfirmStepProps) {
  const { t } = useTranslation('friends');
  return (
    <div className="flex flex-col gap-3 pt-2">
      {error !== null && <Failure title={failed} error={error} />}
      {children}
      <Button kind="quiet" wide onClick={onBack}>
        {t('action.keep')}
      </Button>
    </div>
  );
}

/** What did not work and why, where it was tried. */
export function Failure({ title, error }: { title: string; error: unknown }) {
  const errorText = useErrorText();
  return (
    <Problem>
      <strong className="block font-semibold">{title}</strong>
      {errorText(error)}
    </Problem>
  );
}
