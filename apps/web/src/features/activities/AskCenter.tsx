import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { toast } from '#web/shared/ui/toast.ts';

/** The words for the people at the desk, to be shown or sent. */
export function AskCenter({ name }: { name: string }) {
  const { t } = useTranslation('proofs');
  const message = t('ways.askMessage', { center: name, url: location.origin });

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(message);
      toast({ title: t('ways.copied'), tone: 'success' });
    } catch {
      // No clipboard over plain http: the words stand there to be copied.
      toast({ title: t('ways.notCopied') });
    }
  }

  async function send(): Promise<void> {
    if (!('share' in navigator)) return copy();
    try {
      await navigator.share({ text: message });
    } catch (error) {
      // Closing the system's sheet is an answer, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <blockquote className="rounded-lg bg-sunken p-4 text-lg select-text">{message}</blockquote>
      <Button icon="share" wide onClick={() => void send()}>
        {t('ways.askShare')}
      </Button>
    </div>
  );
}
