import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';

/** Returns the name that a user has chosen; null for the default one. */
export function chosenName(name: string): string | null {
  return name === DEFAULT_DISPLAY_NAME || name === '' ? null : name;
}

/** Returns the name to show: for a user without a chosen name, a placeholder in the reader's language. */
export function usePersonName(): (name: string) => string {
  const { t } = useTranslation('shell');
  return (name) => chosenName(name) ?? t('nameless');
}
