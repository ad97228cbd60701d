import { type Pause, pausedMs } from '@sendlap/domain/recording/pauses.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { SegmentedControl } from '#web/shared/ui/controls/SegmentedControl.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { formatTimer } from '../data/times.ts';
import { PACE_UNITS, pacePer100, swumMetres } from '../ops/activity-ops.ts';
import { poolsFor } from './pools.ts';

interface LengthCounterProps {
  sport: Sport;
  draft: ActivityDraft;
  /** ISO 8601 */
  started_at: string;
  pauses: readonly Pause[];
  onChange: (draft: ActivityDraft) => void;
}

/** Counts lengths with a wet thumb: one large button, an undo, and the resulting distance and pace. */
export function LengthCounter({ sport, draft, started_at, pauses, onChange }: LengthCounterProps) {
  const { t } = useTranslation('activities');
  const { swum, swumUnits, pool } = useMeasures();
  const { swimming: unit } = useUnits();
  const { tint, ink } = SPORT_LOOKS[sport];
  const now = useServerNow(1000);
  const metres = swumMetres(draft);
  const span = { started_at: Date.parse(started_at), ended_at: now };
  const pace = pacePer100({ metres, active_ms: now - span.started_at - pausedMs(pauses, span), unit });
  const count = (lengths: number) => onChange({ ...draft, lengths });
  return (
    <Card as="section" aria-label={t('lengths.title')} className="flex flex-col gap-3">
      {draft.pool_length_m > 0 && (
        <>
          <div className="flex flex-wrap items-baseline gap-x-3 px-1">
            {/* Live regions without the pace, which changes every second. */}
            <p aria-live="polite" className={`figures max-w-full shrink-0 text-3xl font-bold ${ink}`}>
              {swum(metres)}
            </p>
            <p className="figures min-w-0 flex-1 basis-[8rem] text-right text-label text-ink-soft">
              <span aria-live="polite">{t('lengths.count', { count: draft.lengths })}</span>
              <br />
              {pace === null
                ? t('lengths.noPace')
                : t('lengths.pace', { pace: formatTimer(pace * 1000), distance: swumUnits(PACE_UNITS) })}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <button
              type="button"
              // A disabled button would lose the focus.
              aria-disabled={draft.lengths === 0}
              onClick={() => draft.lengths > 0 && count(draft.lengths - 1)}
              className="pressable grid h-20 w-20 shrink-0 place-items-center rounded-xl bg-sunken text-2xl font-bold text-ink-soft aria-disabled:opacity-50"
            >
              −1<span className="sr-only">: {t('lengths.undo')}</span>
            </button>
            <button
              type="button"
              onClick={() => count(draft.lengths + 1)}
              className={`pressable flex min-h-20 grow basis-[10rem] items-center justify-center gap-2 rounded-xl px-3 text-xl low:text-lg font-bold ${tint} ${ink}`}
            >
              <Icon name="plus" size={28} className="shrink-0" />
              {t('lengths.add')}
            </button>
          </div>
        </>
      )}
      <SegmentedControl
        large
        label={t('lengths.pool')}
        value={String(draft.pool_length_m)}
        options={poolsFor(unit, draft.pool_length_m).map((length) => ({
          value: String(length),
          label: length === 0 ? t('lengths.poolNone') : pool(length),
        }))}
        onChange={(length) => onChange({ ...draft, pool_length_m: Number(length) })}
      />
    </Card>
  );
}
