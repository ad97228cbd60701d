import { useOutboxErrorText } from '#web/shared/outbox/use-outbox-error-text.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';

/**
 * Shows why an op could not be saved until the user dismisses the toast. `title`: for when the reason alone is unclear.
 */
export function useFailureToast(): (error: unknown, title?: string) => void {
  const errorText = useOutboxErrorText();
  return (error, title) => {
    const why = errorText(error);
    toast({ title: title ?? why, ...(title ? { description: why } : {}), tone: 'error', timeout_ms: 0 });
  };
}
