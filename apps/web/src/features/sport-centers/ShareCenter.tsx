import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { IconButton } from '#web/shared/ui/IconButton.tsx';
import { toast } from '#web/shared/ui/toast.ts';

/** Sends the center's address on, by the system's own sheet or, without one, by copying it. */
export function ShareCenter({ center: { id, name } }: { center: Pick<SportCenter, 'id' | 'name'> }) {
  const { t } = useTranslation('sport-centers');
  const url = `${location.origin}/sport-centers/${id}`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: t('center.linkCopied'), tone: 'success' });
    } catch {
      // No clipboard over plain http: then the address itself is shown, to be copied by hand.
      toast({ title: t('center.linkNotCopied'), description: url, timeout_ms: 0 });
    }
  }

  async function share(): Promise<void> {
    if (!('share' in navigator)) return copy();
    try {
      await navigator.share({ title: name, url });
    } catch (error) {
      // Closing the system's sheet is an answer, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  }

  return <IconButton icon="share" label={t('center.share')} onClick={() => void share()} />;
}
