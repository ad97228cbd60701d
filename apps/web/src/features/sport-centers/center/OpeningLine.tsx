import type { OpeningHours } from '@sendlap/contract/wire/opening-hours.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useNow } from '#web/shared/time/use-now.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { openingText } from './opening-text.ts';

/** Whether the center is open now, and what changes next. */
export function OpeningLine({ hours, time_zone }: { hours: OpeningHours; time_zone: string }) {
  const { t } = useTranslation('sport-centers');
  const text = openingText({ hours, time_zone, now: useNow(Date.now), locale: useLocale(), t });
  if (text === null) return null;
  return (
    <p className="figures mt-2.5 flex items-start gap-2 wrap-anywhere">
      <Icon name="clock" size={20} className="mt-0.5 shrink-0 text-ink-faint" />
      {text}
    </p>
  );
}
