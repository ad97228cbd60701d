import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';

/** Says that a step could not be saved (`title`, where that is not plain), and why, until somebody has read it. */
export function useFailureToast(): (error: unknown, title?: string) => void {
  const errorText = useOutboxErrorText();
  return (error, title) => {
    const why = errorText(error);
    toast({ title: title ?? why, ...(title ? { description: why } : {}), tone: 'error', timeout_ms: 0 });
  };
}
