import type { ActivityDetail, ProofAttempt } from '@sendlap/contract/activities.ts';
import { INTENSITIES, type Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { ComponentProps } from 'react';
import { LedgerCard } from '#web/features/activities/points/LedgerCard.tsx';
import { PointsCard } from '#web/features/activities/points/PointsCard.tsx';
import { ScoreBreakdown } from '#web/features/activities/points/ScoreBreakdown.tsx';
import { ProofAttempts } from '#web/features/activities/proof/ProofAttempts.tsx';
import { ProofSteps } from '#web/features/activities/proof/ProofSteps.tsx';
import { IntensityChoice } from '#web/features/activities/running/IntensityChoice.tsx';
import { LengthCounter } from '#web/features/activities/running/LengthCounter.tsx';
import { RunningControls } from '#web/features/activities/running/RunningControls.tsx';
import { StopSheet } from '#web/features/activities/running/StopSheet.tsx';
import { RestTimer, Timer } from '#web/features/activities/running/Timer.tsx';
import { DiscardButton } from '#web/features/activities/sync/DiscardButton.tsx';
import { SyncStateChip } from '#web/features/activities/sync/SyncStateChip.tsx';
import type { SyncState } from '#web/features/activities/sync/sync-state.ts';
import type { Example, Examples } from '../example.ts';
import { ACTIVITIES, before, climb, DAY_MS, HOUR_MS, LONG_NAME, MINUTE_MS, NOW, RTL_NAME, swim } from './data.ts';
import { ignore, ToChange, ToOpen } from './interaction.tsx';
import { attempt, REFUSED_CODES } from './proof-attempts.ts';

const FINISHED = Object.entries(ACTIVITIES).filter(([, { status }]) => status !== 'active');
const inEachState = (render: (activity: (typeof FINISHED)[number][1]) => Example['render']): Example[] =>
  FINISHED.map(([state, activity]) => ({ state: state.replaceAll('_', ' '), render: render(activity) }));

const entry = (kind: ActivityDetail['ledger'][number]['kind'], points: number, ms_ago: number) => ({
  kind,
  points,
  rule_version: 'met-2',
  at: before(ms_ago),
});

const attempts = (state: string, proofs: ProofAttempt[]): Example => ({
  state,
  render: () => <ProofAttempts proofs={proofs} cached_at={null} />,
});

const PAUSED = { since: { at_ms: NOW - 10 * MINUTE_MS }, until: null };
const CONTROLS = { finishing: false, onTogglePause: ignore, onFinish: ignore };
const controls = (
  state: string,
  props: Pick<ComponentProps<typeof RunningControls>, 'tone' | 'is_paused'>,
): Example => ({
  state,
  render: () => <RunningControls {...CONTROLS} {...props} />,
});

const SYNC_STATES: SyncState[] = [
  { kind: 'quiet' },
  { kind: 'syncing' },
  { kind: 'synced' },
  { kind: 'failed' },
  { kind: 'broken' },
  ...(['pending', 'refused', 'undecided', 'unreadable'] as const).flatMap((kind) => [
    { kind, count: 1 },
    { kind, count: 128 },
  ]),
];

export const ACTIVITY_PARTS: Examples = {
  'sync/SyncStateChip': SYNC_STATES.map((state) => ({
    state: 'count' in state ? `${state.kind}, ${state.count}` : state.kind,
    render: () => <SyncStateChip state={state} onOpen={ignore} onRetry={ignore} />,
  })),
  'points/PointsCard': inEachState((activity) => () => <PointsCard activity={activity} just_validated={false} />),
  'points/ScoreBreakdown': [
    { state: 'climb, hard', render: () => <ScoreBreakdown activity={ACTIVITIES.waiting} /> },
    {
      state: 'swim with pauses, not confirmed in time',
      render: () => <ScoreBreakdown activity={ACTIVITIES.too_late} />,
    },
    {
      state: 'five hours: the day has a limit',
      render: () => <ScoreBreakdown activity={climb(20, { started_at: before(6 * HOUR_MS) })} />,
    },
    { state: 'too short', render: () => <ScoreBreakdown activity={ACTIVITIES.too_short} /> },
  ],
  'points/LedgerCard': [
    { state: 'one entry', render: () => <LedgerCard ledger={[entry('validation', 235, HOUR_MS)]} /> },
    {
      state: 'taken back',
      render: () => (
        <LedgerCard
          ledger={[
            entry('validation', 1240, 2 * DAY_MS),
            entry('allotment', -120, DAY_MS),
            entry('reversal', -1120, HOUR_MS),
          ]}
        />
      ),
    },
  ],
  'proof/ProofSteps': inEachState((activity) => () => <ProofSteps activity={activity} />),
  'proof/ProofAttempts': [
    attempts('none', []),
    { state: 'not loaded', render: () => <ProofAttempts proofs={null} cached_at={null} /> },
    attempts('counts', [attempt('in_force', { by: LONG_NAME, reason: 'Vi la mitad de la sesión.' })]),
    attempts('rejected, by a friend, by the kiosk', [
      attempt('in_force', { decision: 'reject', by: RTL_NAME, reason: 'No estaba.' }),
      attempt('overtaken', { method: 'peer', distance_class: 'near' }),
      attempt('waiting', { method: 'venue', by: null }),
    ]),
    attempts('no longer counts', [
      attempt('edited'),
      attempt('appealed', { decision: 'reject' }),
      attempt('withdrawn'),
    ]),
    attempts('by people who cannot confirm it', [
      attempt('refused', { method: null, code: 'not_a_referee', by: null, count: 3 }),
    ]),
    attempts(
      'refused',
      REFUSED_CODES.map((code) => attempt('refused', { code, by: null })),
    ),
    {
      state: 'a copy of two days ago (switch the network off)',
      render: () => <ProofAttempts proofs={[attempt('in_force')]} cached_at={NOW - 2 * DAY_MS} />,
    },
  ],
  'sync/DiscardButton': [
    { state: 'default', render: () => <DiscardButton onDiscard={ignore} /> },
    {
      state: 'with texts of its own',
      render: ({ long, question, short }) => (
        <DiscardButton onDiscard={ignore} label={long} text={question} confirm={short} />
      ),
    },
  ],
  'running/IntensityChoice': INTENSITIES.map((first) => ({
    state: first === 'hard' ? 'large, hard' : first,
    render: () => (
      <ToChange<Intensity> first={first}>
        {(value, onChange) => <IntensityChoice value={value} onChange={onChange} large={first === 'hard'} />}
      </ToChange>
    ),
  })),
  'running/LengthCounter': [
    { pool_length_m: 0, lengths: 0 },
    { pool_length_m: 25, lengths: 0 },
    { pool_length_m: 50, lengths: 124 },
  ].map((draft) => ({
    state: draft.pool_length_m === 0 ? 'not counted' : `${draft.lengths} lengths`,
    render: () => (
      <ToChange first={{ intensity: null, ...draft }}>
        {(value) => (
          <LengthCounter
            sport="swimming"
            draft={value}
            started_at={before(90 * MINUTE_MS)}
            pauses={[]}
            onChange={ignore}
          />
        )}
      </ToChange>
    ),
  })),
  'running/RunningControls': [
    controls('running', { tone: 'climb', is_paused: false }),
    controls('paused', { tone: 'swim', is_paused: true }),
    {
      state: 'finishing',
      render: () => <RunningControls {...CONTROLS} tone="climb" is_paused={false} finishing />,
    },
  ],
  'running/StopSheet': [
    {
      state: 'an hour ago',
      render: () => (
        <ToOpen>{(close) => <StopSheet activity={ACTIVITIES.running} onStopped={close} onClose={close} />}</ToOpen>
      ),
    },
    {
      state: 'too long for now',
      render: () => (
        <ToOpen>
          {(close) => (
            <StopSheet activity={swim(21, { started_at: before(2 * DAY_MS) })} onStopped={close} onClose={close} />
          )}
        </ToOpen>
      ),
    },
  ],
  'running/Timer': [
    { state: 'running', render: () => <Timer since={before(25 * MINUTE_MS)} pauses={[]} className="text-3xl" /> },
    {
      state: 'paused, of a long day',
      render: () => (
        <>
          <Timer since={before(11 * HOUR_MS)} pauses={[PAUSED]} className="text-3xl" />
          <RestTimer since={before(11 * HOUR_MS)} pauses={[PAUSED]} className="text-label" />
        </>
      ),
    },
  ],
};
