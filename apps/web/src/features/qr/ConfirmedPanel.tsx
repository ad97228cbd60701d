import { useEffect } from 'react';
import { Link } from 'wouter';
import { vibrate } from '#web/shared/device/haptics.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { buttonClasses } from '#web/shared/ui/Button.tsx';
import { proofIcon } from '#web/shared/ui/proof-icon.ts';
import type { ShownActivity } from './activity-code.ts';
import { GoldMark } from './GoldMark.tsx';
import { activityPath } from './links.ts';

interface ConfirmedPanelProps {
  activity: ShownActivity;
  /** It happened while the athlete was looking. */
  just_now: boolean;
}

/** It is confirmed: gold, and the points as large as the screen carries. */
export function ConfirmedPanel({ activity, just_now }: ConfirmedPanelProps) {
  const { t } = useTranslation(['qr', 'shell']);
  const locale = useLocale();
  const { points, sport_center_name: center } = activity;
  useEffect(() => {
    if (just_now) vibrate('success');
  }, [just_now]);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 overflow-hidden py-10 text-center">
      <GoldMark icon={proofIcon(activity.validation)} burst={just_now} />
      <p role="status" className="sr-only">
        {t('generate.validated.read', { count: points })}
      </p>
      <h2 className="mt-6 text-2xl font-bold">{t('generate.validated.title')}</h2>
      <p aria-hidden="true" className="flex items-baseline gap-2 text-gold-ink">
        <span className="figures text-7xl font-extrabold">+{points.toLocaleString(locale)}</span>
        <span className="text-xl font-semibold">{t('generate.validated.points', { count: points })}</span>
      </p>
      <p className="max-w-[32ch] text-ink-soft">
        {t('generate.validated.text', { sport: t(`shell:sport.${activity.sport_type}`).toLowerCase(), center })}
      </p>
      <Link href={activityPath(activity.client_id)} className={`${buttonClasses('primary', 'md')} mt-6`}>
        {t('generate.validated.action')}
      </Link>
    </div>
  );
}
