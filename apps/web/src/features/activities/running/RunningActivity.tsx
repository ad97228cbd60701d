import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { countsIntensity, hasDistance } from '@sendlap/domain/sports.ts';
import type { Units } from '@sendlap/domain/units.ts';
import { useState } from 'react';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useWakeLock } from '#web/shared/device/use-wake-lock.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatMinutes } from '#web/shared/time/format-minutes.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { useUnits } from '#web/shared/units/chosen-units.ts';
import { swumMetres } from '../record/activity-ops.ts';
import { type ActivityView, scoreOf } from '../record/activity-view.ts';
import { IntensityChoice } from '../record/IntensityChoice.tsx';
import { isForgotten } from '../record/stop.ts';
import { formatClock } from '../record/times.ts';
import { useActivityOps } from '../record/use-activity-ops.ts';
import { useDelete } from '../record/use-delete.ts';
import { useFailureToast } from '../record/use-failure-toast.ts';
import { RefusedOpCard } from '../sync/RefusedOpCard.tsx';
import { LengthCounter } from './LengthCounter.tsx';
import { defaultPool } from './pools.ts';
import { Timer } from './Timer.tsx';
import { useFinish } from './use-finish.tsx';

const MINUTE_MS = 60_000;

/** The screen of a running activity: a large timer and one button that ends it. */
export function RunningActivity({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const saved = activity.proof === 'saved' || activity.proof === 'refused';
  const { saveDraft } = useActivityOps();
  const showFailure = useFailureToast();
  const { tone, tint, icon, ink } = SPORT_LOOKS[activity.sport_type];
  // The draft that is not on the disk yet, so that two quick taps count two lengths. null once it is written: the disk
  // may then hold a newer draft from another tab.
  const [pending_draft, setPendingDraft] = useState<ActivityDraft | null>(null);
  const { swimming } = useUnits();
  const draft = pending_draft ?? currentDraft(activity, swimming);
  const { finishing, finish, openStopSheet, stop_sheet } = useFinish({ ...activity, draft });
  // Hours make the timer wider, so use a smaller font.
  const long = isForgotten(activity, useServerNow());
  useWakeLock(true);
  useHoldUpdates(true);

  const updateDraft = (next: ActivityDraft) => {
    setPendingDraft(next);
    saveDraft(activity, next).then(() => setPendingDraft((newest) => (newest === next ? null : newest)), showFailure);
  };

  return (
    <div className="mx-auto flex w-full max-w-[520px] flex-1 flex-col gap-4">
      <section className={`rounded-xl px-3 py-6 text-center ${tint}`}>
        <p className={`flex items-center justify-center gap-2 font-semibold ${ink}`}>
          <Icon name={icon} size={24} className="shrink-0" />
          <span className="truncate">{activity.sport_center_name}</span>
        </p>
        <Timer
          since={activity.started_at}
          className={`mt-2 leading-none font-bold ${long ? 'text-[clamp(48px,17vw,96px)]' : 'text-[clamp(60px,22vw,112px)]'}`}
        />
        <PointsSoFar activity={activity} draft={draft} />
        <p className="mt-1 text-label text-ink-soft">
          {t('running.since', { time: formatClock(Date.parse(activity.started_at), locale) })} ·{' '}
          {t(saved ? 'running.savedHere' : 'running.sent')}
        </p>
      </section>
      {activity.refusal && <RefusedOpCard activity={activity} />}
      <ForgottenActivity activity={activity} onOpenStopSheet={openStopSheet} />
      {hasDistance(activity.sport_type) && (
        <LengthCounter draft={draft} started_at={activity.started_at} onChange={updateDraft} />
      )}
      {countsIntensity(activity.sport_type) && (
        <IntensityChoice
          large
          value={draft.intensity ?? 'moderate'}
          onChange={(intensity) => updateDraft({ ...draft, intensity })}
        />
      )}
      <StartedByMistake activity={activity} />
      <div className="bottom-(--nav-room) -mx-1 mt-auto -mb-4 bg-page/90 px-1 py-3 backdrop-blur-md wide:bottom-0 [@media(min-height:30rem)]:sticky">
        <Button kind={tone} size="lg" icon="stop" wide busy={finishing} onClick={finish} className="min-h-20">
          {t('running.finish')}
        </Button>
      </div>
      {stop_sheet}
    </div>
  );
}

/** Returns the draft saved so far; before the first one, a draft with the values of the start. */
function currentDraft({ draft, intensity }: ActivityView, unit: Units['swimming']): ActivityDraft {
  return draft ?? { intensity, pool_length_m: defaultPool(unit), lengths: 0 };
}

function PointsSoFar({ activity, draft }: { activity: ActivityView; draft: ActivityDraft }) {
  const { t } = useTranslation('activities');
  const now = useServerNow(MINUTE_MS / 6);
  const facts = { ...activity, intensity: draft.intensity, distance_m: swumMetres(draft) };
  const { points, minutes } = scoreOf(facts, now);
  if (isForgotten(activity, now)) return null;
  return (
    <p className="figures mt-2 text-ink-soft">
      {minutes < MIN_SCORED_MINUTES ? t('running.tooShort') : t('running.soFar', { count: points })}
    </p>
  );
}

/** A start takes one tap, so that it also happens by mistake. Hidden once the activity is worth points. */
function StartedByMistake({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const remove = useDelete(activity, PATHS.dashboard);
  const { minutes } = scoreOf(activity, useServerNow(MINUTE_MS / 6));
  // A refused one is discarded on its own card.
  if (minutes >= MIN_SCORED_MINUTES || activity.refusal) return null;
  return (
    <Button kind="quiet" icon="trash" className="min-h-18 self-center" onClick={() => void remove()}>
      {t('running.mistake')}
    </Button>
  );
}

/** After 4 hours hardly any athlete still trains: asks when the activity really ended. */
function ForgottenActivity({ activity, onOpenStopSheet }: { activity: ActivityView; onOpenStopSheet: () => void }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const now = useServerNow();
  if (!isForgotten(activity, now)) return null;
  const time = formatMinutes(Math.floor((now - Date.parse(activity.started_at)) / MINUTE_MS), locale);
  return (
    <Card as="section" tone="accent" className="flex flex-col gap-3">
      <div>
        <h2 className="font-bold text-accent-ink">{t('running.forgottenTitle')}</h2>
        <p className="mt-0.5 text-label">{t('running.forgottenText', { time })}</p>
      </div>
      <Button size="sm" onClick={onOpenStopSheet}>
        {t('running.forgottenAction')}
      </Button>
    </Card>
  );
}
