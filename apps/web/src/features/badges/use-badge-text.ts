import { BADGES, type BadgeId, type BadgeRule } from '@sendlap/domain/progress/badges.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatDateOf, formatLongDateOf } from '#web/shared/time/format-date.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { createAmounts } from './format-amount.ts';
import type { BadgeCopy } from './queries.ts';

/** Words for badges in the user's language. */
export function useBadgeText() {
  const { t } = useTranslation('badges');
  const locale = useLocale();
  const amounts = createAmounts(useMeasures(), locale);
  return {
    name: (id: BadgeId) => t(`name.${id}`),
    /** The badge's rule in a sentence. */
    rule(id: BadgeId) {
      const rule: BadgeRule = BADGES[id];
      const key = rule.kind === 'activities' && rule.sport ? rule.sport : rule.kind;
      return t(`rule.${key}`, { count: rule.goal, amount: amounts.goal(rule.kind, rule.goal) });
    },
    /** '3 of 10' */
    progress: ({ id, progress, goal }: BadgeCopy) =>
      t('progress', {
        done: amounts.progress(BADGES[id].kind, progress, goal),
        goal: amounts.goal(BADGES[id].kind, goal),
      }),
    /** The amount left: '7 to go'. */
    remaining: ({ id, progress, goal }: BadgeCopy) => t('missing', amounts.remaining(BADGES[id].kind, goal - progress)),
    /** The date of earning in a sentence. */
    earned: (earned_at: string) => t('earned', { date: formatLongDateOf(earned_at, locale) }),
    /** The date of earning. */
    earnedShort: (earned_at: string) => formatDateOf(earned_at, locale),
  };
}

/** A badge for a pause has no progress: the pause is only known once it is over. */
export function hasProgress(id: BadgeId): boolean {
  return BADGES[id].kind !== 'pause_days';
}
