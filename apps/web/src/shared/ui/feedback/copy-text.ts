import { toast } from './toast.ts';

/** Copies a text to the clipboard, and says whether that worked: over plain http browsers have no clipboard. */
export async function copyText(text: string, { copied, failed }: { copied: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: copied, tone: 'success' });
  } catch {
    toast({ title: failed, tone: 'error' });
  }
}
