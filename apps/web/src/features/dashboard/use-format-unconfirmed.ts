import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { WeekFigures } from './trend-weeks.ts';

/** Returns a function for a week's hatched points in words: how many wait, and how many can no longer be confirmed. */
export function useFormatUnconfirmed(): (week: Pick<WeekFigures, 'unconfirmed' | 'waiting'>) => string[] {
  const { t } = useTranslation('dashboard');
  return ({ unconfirmed, waiting }) => [
    ...(waiting > 0 ? [t('unconfirmed.waiting', { count: waiting })] : []),
    ...(unconfirmed > waiting ? [t('unconfirmed.expired', { count: unconfirmed - waiting })] : []),
  ];
}
