import type { PersonalBest } from '@sendlap/contract/stats.ts';
import { formatMetres } from '#web/shared/sports/format-metres.ts';
import { formatMinutes } from '#web/shared/time/format-minutes.ts';

/** Formats a value in the unit of its measure: '473', '2 hr', '2,000 m'. */
export function formatValue(measure: PersonalBest['measure'], value: number, locale: string): string {
  if (measure === 'minutes') return formatMinutes(value, locale);
  return measure === 'metres' ? formatMetres(value, locale) : value.toLocaleString(locale);
}
