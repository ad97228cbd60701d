import { NAMELESS } from '@sendlap/domain/names.ts';
import { useTranslation } from 'react-i18next';

/** A name as it is shown: in the reader's language for whoever has not chosen one. */
export function useShownName(): (name: string) => string {
  const { t } = useTranslation('friends');
  return (name) => (name === NAMELESS ? t('nameless') : name);
}
