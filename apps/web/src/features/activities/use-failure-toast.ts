import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { toast } from '#web/shared/ui/toast.ts';

/** Says that a step could not be saved, and why, until somebody has read it. */
export function useFailureToast(): (error: unknown) => void {
  const errorText = useOutboxErrorText();
  return (error) => void toast({ title: errorText(error), tone: 'error', timeout_ms: 0 });
}
