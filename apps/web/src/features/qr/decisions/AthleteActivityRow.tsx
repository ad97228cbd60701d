import type { Sport } from '@sendlap/domain/sports.ts';
import type { ReactNode } from 'react';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { usePersonName } from '#web/shared/people/use-person-name.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { formatTimeRange } from '#web/shared/time/format-time-range.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

interface AthleteActivityRowProps {
  /** The athlete and the time, as the server writes times or in ms epoch. */
  activity: {
    athlete: string;
    sport_type: Sport;
    /** null: not known here. */
    sport_center_name: string | null;
    started_at: string | number;
    ended_at: string | number;
  };
  /** The outcome; null: none yet. */
  tag: ReactNode;
  children: ReactNode;
}

/** An activity in a list of the user's decisions or of appeals to the user: athlete, center and time. */
export function AthleteActivityRow({ activity, tag, children }: AthleteActivityRowProps) {
  const { t } = useTranslation('shell');
  const locale = useLocale();
  const personName = usePersonName();
  const { athlete, sport_type, sport_center_name: center } = activity;
  const { ink, icon } = SPORT_LOOKS[sport_type];
  const [from_ms, to_ms] = [new Date(activity.started_at).getTime(), new Date(activity.ended_at).getTime()];
  const when = `${formatDay(from_ms, locale)}, ${formatTimeRange(from_ms, to_ms, locale)}`;
  return (
    <Card as="li">
      <div className="flex items-start gap-3">
        <span className={ink}>
          <Icon name={icon} size={28} />
          <span className="sr-only">{t(`sport.${sport_type}`)}</span>
        </span>
        <div className="min-w-0 flex-1">
          <p dir="auto" className="text-left font-semibold wrap-break-word">
            {personName(athlete)}
          </p>
          {center !== null && <p className="wrap-break-word text-label text-ink-soft">{center}</p>}
          <p className="figures text-label text-ink-soft">{when}</p>
        </div>
        {tag}
      </div>
      {children}
    </Card>
  );
}

export function RowText({ children }: { children: ReactNode }) {
  return <p className="mt-2 text-label text-ink-soft">{children}</p>;
}
