import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { Icon } from '#web/shared/ui/Icon.tsx';
import { describeOp, type SavedStep } from './describe-op.ts';
import { SPORT_LOOKS } from './sport-look.ts';
import { formatClock, formatDay } from './times.ts';

interface OpLineProps {
  step: SavedStep;
  /** A second line: how often it was tried, what it waits for. */
  note?: string;
  /** Without a surface of its own. */
  plain?: boolean;
}

/** One step in words: what, where or whose, when. */
export function OpLine({ step, note, plain = false }: OpLineProps) {
  const { t } = useTranslation(['outbox', 'shell']);
  const { activities } = useOutbox();
  const locale = useLocale();
  const { kind, sport_type, whose, at } = describeOp(step, activities);
  const time = `${formatDay(at, locale)}, ${formatClock(at, locale)}`;
  const sport = sport_type ? t(`shell:sport.${sport_type}`) : null;
  const title = sport === null && kind !== 'withdraw' ? t('kind.unknown') : t(`kind.${kind}`, { sport: sport ?? '' });
  const look = sport_type ? SPORT_LOOKS[sport_type] : null;
  return (
    <li className={`flex items-center gap-3 ${plain ? '' : 'rounded-lg bg-sunken p-3'}`}>
      <span aria-hidden="true" className={`shrink-0 ${look?.ink ?? 'text-ink-soft'}`}>
        <Icon name={look?.icon ?? 'clock'} size={26} />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="figures truncate text-[0.9375rem] text-ink-soft">
          {whose === null ? time : t(step.payload.kind === 'scan' ? 'of' : 'at', { name: whose, center: whose, time })}
        </p>
        {note && <p className="text-[0.9375rem] text-ink-soft">{note}</p>}
      </div>
    </li>
  );
}
