import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { copyText } from '#web/shared/ui/feedback/copy-text.ts';

/** Copies a text to the clipboard and says whether that worked. */
export function useCopyToClipboard(): (text: string) => void {
  const { t } = useTranslation('qr');
  return (text) => void copyText(text, { copied: t('friend.copied'), failed: t('friend.copyFailed') });
}
