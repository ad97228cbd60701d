import { NAMELESS } from '@sendlap/domain/names.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** A name as it is shown: in the reader's language for whoever has not chosen one. */
export function useShownName(): (name: string) => string {
  const { t } = useTranslation('friends');
  return (name) => (name === NAMELESS ? t('nameless') : name);
}
