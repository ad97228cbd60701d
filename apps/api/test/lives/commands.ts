import fc from 'fast-check';

const nth = (count: number) => fc.nat({ max: count - 1 });
const one = <Value>(...values: Value[]) => fc.constantFrom(...values);

/** Seconds that pass before a command. */
const pause_s = one(0, 0, 0, 0, 0, 1, 7, 20, 30, 30, 40, 60, 60, 60, 600, 600, 3600, 18_000, 47_000, 90_000);
const athlete = one(0, 0, 0, 0, 1, 2);
const activity = one(0, 0, 1, 1, 2, 3, 4);
const minutes = one(5, 9, 10, 20, 20, 45, 90, 150, 200);
const sport = one('climbing' as const, 'climbing' as const, 'climbing' as const, 'swimming' as const);
const intensity = one(undefined, undefined, 'easy' as const, 'moderate' as const, 'hard' as const);
const distance_m = one(undefined, 0, 700, 2000, 5000);
/** The seconds at rest that a finish carries; more than some activities last. */
const paused_s = one(undefined, undefined, undefined, undefined, 0, 61, 600, 2700);
/** 0: both sports; 1: climbing only. */
const center = one(0, 0, 0, 1);
const about = { pause_s, athlete, activity };
/** Mostly an existing activity: 0 is the newest, 1 the one before; negative: whatever `athlete` and `activity` say. */
const aim = one(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, -1);
const what = { sport, intensity, distance_m, paused_s, center };

const record = fc.record({
  kind: fc.constant('record'),
  ...about,
  ...what,
  minutes,
  ago_min: one(-5, 0, 1, 1, 1, 1, 5, 15, 40, 100, 200, 200, 400, 400, 800, 21_000),
  with_friend: one(false, false, true),
  steps: one('both' as const, 'both' as const, 'both' as const, 'both' as const, 'both' as const, 'start' as const),
});

const finish = fc.record({ kind: fc.constant('finish'), ...about, aim, intensity, distance_m, paused_s, minutes });

/** An athlete passes the kiosk on the way in and out. */
const visit = fc.record({
  kind: fc.constant('visit'),
  ...about,
  ...what,
  minutes,
  venue: one('good' as const, 'good' as const, 'late_start' as const, 'late_end' as const, 'only_start' as const),
});

const scan = fc.record({
  kind: fc.constant('scan'),
  ...about,
  aim,
  scanner: one(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 3, 4),
  decision: one('confirm' as const, 'confirm' as const, 'reject' as const),
  ago_s: one(0, 0, 0, 0, 0, 5, 25, 45, 100, 700, 4000),
  step: one(0, 0, 0, 0, 0, 0, 0, -1, 1, -2, 3),
  offset_ms: one(0, 0, -7_200_000, 7_200_000),
  offline: fc.boolean(),
  stale: one(false, false, false, true),
  adjust: one(
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'shorter' as const,
    'longer' as const,
    'hard' as const,
    'distance' as const,
  ),
});

const edit = fc.record({
  kind: fc.constant('edit'),
  ...about,
  aim,
  ago_s: one(0, 0, 30, 600, 8000, -90),
  change: one(
    'start' as const,
    'end' as const,
    'later' as const,
    'intensity' as const,
    'distance' as const,
    'sport' as const,
    'center' as const,
    'pause' as const,
    'nothing' as const,
  ),
  shift_min: one(-30, -10, 10, 30),
});

const reopen = fc.record({ kind: fc.constant('reopen'), ...about, aim });
const remove = fc.record({ kind: fc.constant('delete'), ...about, aim });
const appeal = fc.record({ kind: fc.constant('appeal'), ...about, aim, ago_s: one(0, 0, 60, 4000, -90, -200) });

/** A rejected athlete sends the same activity again under another id, then shows it to another scanner. */
const copy = fc.record({
  kind: fc.constant('copy'),
  ...about,
  aim,
  as: activity,
  is_rejected: one(true, true, false),
  appeals: fc.boolean(),
  deletes: fc.boolean(),
  scanner: one(0, 1, 3, 3),
});
const withdraw = fc.record({
  kind: fc.constant('withdraw'),
  pause_s,
  which: nth(6),
  by_other: one(false, false, false, true),
});
const again = fc.record({
  kind: fc.constant('again'),
  pause_s,
  which: nth(12),
  changed: one(false, false, false, true),
});

const command = fc.oneof(
  { weight: 6, arbitrary: record },
  { weight: 1, arbitrary: finish },
  { weight: 2, arbitrary: visit },
  { weight: 14, arbitrary: scan },
  { weight: 3, arbitrary: edit },
  { weight: 2, arbitrary: reopen },
  { weight: 1, arbitrary: remove },
  { weight: 2, arbitrary: appeal },
  { weight: 3, arbitrary: copy },
  { weight: 2, arbitrary: withdraw },
  { weight: 2, arbitrary: again },
);

export type Command = typeof command extends fc.Arbitrary<infer Each> ? Each : never;

/** The first referee scans the code while it is shown. */
export const SCANNED_NOW: Omit<Extract<Command, { kind: 'scan' }>, 'athlete' | 'activity'> = {
  kind: 'scan',
  pause_s: 0,
  aim: -1,
  scanner: 0,
  decision: 'confirm',
  ago_s: 0,
  step: 0,
  offset_ms: 0,
  offline: false,
  stale: false,
  adjust: undefined,
};

export interface Life {
  /** Salt of all ids of the life. */
  salt: number;
  commands: Command[];
}

/** A few days in the life of three athletes, two of them friends, and two referees. */
export const lives: fc.Arbitrary<Life> = fc.record({
  salt: fc.nat(),
  // The life begins with some activities, so that other commands have a target.
  commands: fc
    .tuple(record, fc.array(command, { minLength: 2, maxLength: 12, size: '+1' }))
    .map(([first, rest]) => [first, ...rest]),
});
