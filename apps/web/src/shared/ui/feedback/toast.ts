import { Toast } from '@base-ui/react/toast';

export type ToastTone = 'plain' | 'success' | 'error';

interface ToastContent {
  title: string;
  description?: string;
  tone?: ToastTone;
  /** One thing to do about it, e.g. Undo. */
  action?: { label: string; onPress: () => void };
  /** ms until it goes; 0 keeps it. 5 s unless said. */
  timeout_ms?: number;
}

/** Where `toast` puts what `ToastRegion` shows. */
export const toasts = Toast.createToastManager<{ tone: ToastTone }>();

/** Says something short at the bottom of the screen, from anywhere. Returns how to take it away. */
export function toast({ title, description, tone = 'plain', action, timeout_ms }: ToastContent): () => void {
  const id = toasts.add({
    title,
    description,
    data: { tone },
    priority: tone === 'error' ? 'high' : 'low',
    ...(timeout_ms === undefined ? {} : { timeout: timeout_ms }),
    ...(action ? { actionProps: { children: action.label, onClick: act } } : {}),
  });
  function act(): void {
    action?.onPress();
    toasts.close(id);
  }
  return () => toasts.close(id);
}
