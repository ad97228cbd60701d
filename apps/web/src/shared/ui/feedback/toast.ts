import { Toast } from '@base-ui/react/toast';

export type ToastTone = 'plain' | 'success' | 'error';

interface ToastContent {
  title: string;
  description?: string;
  tone?: ToastTone;
  /** An optional action, e.g. Undo. */
  action?: { label: string; onPress: () => void };
  /** ms until it disappears; 0 keeps it. 5 s by default. */
  timeout_ms?: number;
}

/** The queue between `toast` and `ToastRegion`. */
export const toasts = Toast.createToastManager<{ tone: ToastTone }>();

/** Shows a short message at the bottom of the screen, from any code. Returns a function that closes it. */
export function toast({ title, description, tone = 'plain', action, timeout_ms }: ToastContent): () => void {
  const id = toasts.add({
    title,
    description,
    data: { tone },
    priority: tone === 'error' ? 'high' : 'low',
    ...(timeout_ms === undefined ? {} : { timeout: timeout_ms }),
    ...(action ? { actionProps: { children: action.label, onClick: handleAction } } : {}),
  });
  function handleAction(): void {
    action?.onPress();
    toasts.close(id);
  }
  return () => toasts.close(id);
}
