import { useUser } from '#web/shared/api/use-session.ts';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';
import { toast } from '#web/shared/ui/feedback/toast.ts';
import { useBlockUser, useRemoveFriend } from './people/queries.ts';

interface StepProps {
  name: string;
  onBack: () => void;
  onDone: () => void;
}

/** Ends a friendship, after a confirmation. */
export function RemoveStep({ friendship_id, ...step }: StepProps & { friendship_id: string | null }) {
  const remove = useRemoveFriend(useUser().id);
  // null: the other user has ended the friendship already.
  const runAction =
    friendship_id === null ? null : (onSuccess: () => void) => remove.mutate(friendship_id, { onSuccess });
  return (
    <ConfirmStep
      {...step}
      action="remove"
      done="removed"
      error={remove.error}
      busy={remove.isPending}
      runAction={runAction}
    />
  );
}

/** Blocks a user, after a confirmation. */
export function BlockStep({ user_id, ...step }: StepProps & { user_id: string }) {
  const block = useBlockUser(useUser().id);
  const runAction = (onSuccess: () => void) => block.mutate(user_id, { onSuccess });
  return (
    <ConfirmStep
      {...step}
      action="block"
      done="blocked"
      error={block.error}
      busy={block.isPending}
      runAction={runAction}
    />
  );
}

interface ConfirmStepProps extends StepProps {
  action: 'remove' | 'block';
  done: 'removed' | 'blocked';
  error: unknown;
  busy: boolean;
  /** Runs the action, then calls `onSuccess`; null: nothing is left to do. */
  runAction: ((onSuccess: () => void) => void) | null;
}

function ConfirmStep({ name, action, done, error, busy, runAction, onBack, onDone }: ConfirmStepProps) {
  const { t } = useTranslation('friends');
  const handleSuccess = () => {
    toast({ title: t(`done.${done}`, { name }), tone: 'success' });
    onDone();
  };
  return (
    <div className="flex flex-col gap-3 pt-2">
      {error !== null && <Failure title={t(`failed.${action}`)} error={error} />}
      <NetworkButton kind="danger" wide busy={busy} onClick={() => (runAction ? runAction(handleSuccess) : onDone())}>
        {t(`action.${action}`)}
      </NetworkButton>
      <Button kind="quiet" wide onClick={onBack}>
        {t('action.keep')}
      </Button>
    </div>
  );
}

/** A failed action and the reason, shown beside its button. */
export function Failure({ title, error }: { title: string; error: unknown }) {
  const errorText = useErrorText();
  return (
    <Problem>
      <strong className="block font-semibold">{title}</strong>
      {errorText(error)}
    </Problem>
  );
}
