import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { type Pause, pausedMs } from '@sendlap/domain/recording/pauses.ts';
import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { countsIntensity, hasDistance } from '@sendlap/domain/sports.ts';
import { useHoldUpdates } from '#web/shared/device/hold-updates.ts';
import { useWakeLock } from '#web/shared/device/use-wake-lock.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';
import { PATHS } from '#web/shared/paths.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import { formatClock } from '#web/shared/time/format-clock.ts';
import { formatMinutes } from '#web/shared/time/format-minutes.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { Card } from '#web/shared/ui/Card.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';
import { type ActivityView, scoreOf } from '../data/activity-view.ts';
import { swumMetres } from '../ops/activity-ops.ts';
import { useDelete } from '../ops/use-delete.ts';
import { RefusedOpCard } from '../sync/RefusedOpCard.tsx';
import { IntensityChoice } from './IntensityChoice.tsx';
import { LengthCounter } from './LengthCounter.tsx';
import { RunningControls } from './RunningControls.tsx';
import { isForgotten } from './stop.ts';
import { RestTimer, Timer } from './Timer.tsx';
import { useDraft } from './use-draft.ts';
import { useFinish } from './use-finish.tsx';

/** The screen of a running activity: a large timer, and the buttons that pause it and end it. */
export function RunningActivity({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('activities');
  const locale = useLocale();
  const saved = activity.proof === 'saved' || activity.proof === 'refused';
  const { tone, tint, icon, ink } = SPORT_LOOKS[activity.sport_type];
  const { draft, pauses, is_paused, updateDraft, togglePause } = useDraft(activity);
  const { finishing, finish, openStopSheet, stop_sheet } = useFinish({ ...activity, draft });
  // Hours make the timer wider, so use a smaller font.
  const long = isForgotten(activity, useServerNow());
  // The screen need not stay on during a pause.
  useWakeLock(!is_paused);
  useHoldUpdates(true);

  return (
    <div className="mx-auto flex w-full max-w-[520px] flex-1 flex-col gap-4 low:gap-2">
      <section className={`rounded-xl px-3 py-6 text-center low:py-2 ${is_paused ? 'bg-sunken' : tint}`}>
        <p
          className={`flex items-center justify-center gap-2 leading-tight font-semibold low:text-sm low:leading-tight ${ink}`}
        >
          <Icon name={icon} size={24} className="shrink-0" />
          <span className="min-w-0 wrap-break-word">{activity.sport_center_name}</span>
        </p>
        <div role="status">{is_paused && <Paused />}</div>
        <Timer
          since={activity.started_at}
          pauses={pauses}
          className={`mt-2 leading-none font-bold low:mt-0 ${long ? 'text-[clamp(48px,17vw,96px)]' : 'text-[clamp(60px,22vw,112px)]'}`}
        />
        <RestTimer
          since={activity.started_at}
          pauses={pauses}
          className="mt-2 text-2xl font-bold text-ink-soft low:mt-0 low:text-base"
        />
        <PointsSoFar activity={activity} draft={draft} />
        <p className="mt-1 text-label text-ink-soft low:mt-0 low:text-sm">
          {t('running.since', { time: formatClock(Date.parse(activity.started_at), locale) })} ·{' '}
          {t(saved ? 'running.savedHere' : 'running.sent')}
        </p>
      </section>
      {activity.refusal && <RefusedOpCard activity={activity} />}
      <ForgottenActivity activity={activity} onOpenStopSheet={openStopSheet} />
      {hasDistance(activity.sport_type) && (
        <LengthCounter
          sport={activity.sport_type}
          draft={draft}
          started_at={activity.started_at}
          pauses={pauses}
          onChange={updateDraft}
        />
      )}
      {countsIntensity(activity.sport_type) && (
        <IntensityChoice
          large
          value={draft.intensity ?? 'moderate'}
          onChange={(intensity) => updateDraft({ ...draft, intensity })}
        />
      )}
      <StartedByMistake activity={activity} pauses={pauses} />
      <div className="bottom-(--nav-room) -mx-1 mt-auto -mb-8 bg-page px-1 py-3 low:py-2 wide:bottom-0 [@media(min-height:30rem)]:sticky">
        <RunningControls
          tone={tone}
          is_paused={is_paused}
          finishing={finishing}
          onTogglePause={togglePause}
          onFinish={finish}
        />
      </div>
      {stop_sheet}
    </div>
  );
}

function Paused() {
  const { t } = useTranslation('activities');
  return (
    <p className="mt-3 flex items-center justify-center gap-2 text-2xl font-bold low:mt-0 low:text-base">
      <Icon name="pause" size={28} className="shrink-0" />
      {t('running.paused')}
    </p>
  );
}

/** Returns the seconds at rest until `now`. */
function restUntil(now: number, { started_at }: ActivityView, pauses: readonly Pause[]): number {
  return pausedMs(pauses, { started_at: Date.parse(started_at), ended_at: now }) / 1000;
}

function PointsSoFar({ activity, draft }: { activity: ActivityView; draft: ActivityDraft }) {
  const { t } = useTranslation('activities');
  const now = useServerNow(MINUTE_MS / 6);
  const paused_s = restUntil(now, activity, draft.pauses ?? []);
  const facts = { ...activity, paused_s, intensity: draft.intensity, distance_m: swumMetres(draft) };
  const { points, minutes } = scoreOf(facts, now);
  if (isForgotten(activity, now)) return null;
  return (
    <p className="figures mt-2 text-ink-soft low:mt-0 low:text-sm">
      {minutes < MIN_SCORED_MINUTES ? t('running.tooShort') : t('running.soFar', { count: points })}
    </p>
  );
}

/** Deletes an activity that was started by mistake, which takes only one tap. Hidden once the activity is worth points. */
function StartedByMistake({ activity, pauses }: { activity: ActivityView; pauses: readonly Pause[] }) {
  const { t } = useTranslation('activities');
  const remove = useDelete(activity, PATHS.dashboard);
  const now = useServerNow(MINUTE_MS / 6);
  const { minutes } = scoreOf({ ...activity, paused_s: restUntil(now, activity, pauses) }, now);
  // An activity that the server refused is discarded on a card of its own.
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
