import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { toast } from '#web/shared/ui/feedback/toast.ts';

/** Copies a text to the clipboard and says whether that worked. */
export function useCopyToClipboard(): (text: string) => void {
  const { t } = useTranslation('qr');
  return (text) =>
    void navigator.clipboard.writeText(text).then(
      () => toast({ title: t('friend.copied'), tone: 'success' }),
      () => toast({ title: t('friend.copyFailed'), tone: 'error' }),
    );
}
