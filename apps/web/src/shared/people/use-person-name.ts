import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Returns the name to show: for a user without a chosen name, a placeholder in the reader's language. */
export function useShownName(): (name: string) => string {
  const { t } = useTranslation('friends');
  return (name) => (name === DEFAULT_DISPLAY_NAME ? t('nameless') : name);
}
