import type { ActivityDetail } from '@sendlap/contract/activities.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { formatDay } from '#web/shared/time/format-day.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { formatNumber } from '../data/times.ts';

type Ledger = ActivityDetail['ledger'];

/** Every entry booked for an activity, and their sum; entries are never overwritten. */
export function LedgerCard({ ledger }: { ledger: Ledger }) {
  const { t } = useTranslation('proofs');
  const locale = useLocale();
  const sum = ledger.reduce((total, entry) => total + entry.points, 0);
  return (
    <details className="group rounded-lg bg-surface">
      <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-2 px-4 font-semibold [&::-webkit-details-marker]:hidden">
        {t('ledger.title')}
        <Icon name="chevron-down" size={22} className="transition-transform group-open:rotate-180" />
      </summary>
      <ol className="px-4 text-label">
        {ledger.map((entry) => (
          <Entry key={`${entry.at} ${entry.kind} ${entry.points}`} entry={entry} />
        ))}
      </ol>
      <p className="figures mx-4 flex justify-between border-t border-line py-3 font-semibold">
        <span>{t('ledger.sum')}</span>
        {formatNumber(sum, locale)}
      </p>
    </details>
  );
}

function Entry({ entry: { kind, points, rule_version, at } }: { entry: Ledger[number] }) {
  const { t } = useTranslation('proofs');
  const locale = useLocale();
  const booked_at = Date.parse(at);
  const signed = numberFormat(locale, { signDisplay: 'exceptZero' });
  return (
    <li className="flex items-start justify-between gap-3 py-2">
      <div>
        <p>{t(`ledger.${kind}`)}</p>
        <p className="figures text-sm text-ink-soft">
          {formatDay(booked_at, locale)}, {formatClock(booked_at, locale)} · {t('ledger.rule', { rule: rule_version })}
        </p>
      </div>
      <p className="figures font-semibold">{signed.format(points)}</p>
    </li>
  );
}
