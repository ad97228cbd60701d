import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { WeekFigures } from './trend-weeks.ts';

/** Returns a function for a week's hatched points in words: how many wait, and how many can no longer be confirmed. */
export function useFormatUnconfirmed(): (week: Pick<WeekFigures, 'unconfirmed' | 'waiting'>) => string {
  const { t } = useTranslation('dashboard');
  return ({ unconfirmed, waiting }) => {
    const expired = unconfirmed - waiting;
    if (expired === 0) return t('unconfirmed.waiting', { count: waiting });
    if (waiting === 0) return t('unconfirmed.expired', { count: expired });
    return t('unconfirmed.both', { waiting, expired });
  };
}
