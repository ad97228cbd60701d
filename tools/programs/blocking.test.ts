import { expect, test } from 'vitest';
import { listHotFunctions, type Profile, shareBlocking } from '../../e2e/measured/cpu-profile.ts';
import { listBlocking, readMainThread, sumBlocking } from '../../e2e/measured/main-thread.ts';
import { assertPainted, sumShifts } from '../../e2e/measured/watch-page.ts';

const MAIN = { pid: 1, tid: 1 };
const task = (ts: number, dur: number, tdur: number) => ({ ...MAIN, name: 'RunTask', ts, dur, tdur });
/** Set 20 ms after the navigation. */
const MARKED_MS = 20;
const mark = { ...MAIN, name: 'page-watched', ts: 1_020_000 };
const traceOf = (...traceEvents: object[]) => Buffer.from(JSON.stringify({ traceEvents }));

test('Only the time of tasks beyond 50 ms counts, by CPU and by the clock, and of a task during the first paint the rest', () => {
  const trace = traceOf(
    mark,
    task(1_000_000, 400_000, 400_000), // ends 200 ms after the paint
    task(2_000_000, 300_000, 90_000),
    task(3_000_000, 49_000, 49_000),
    { ...task(4_000_000, 500_000, 500_000), tid: 2 }, // another thread
    task(100_000, 500_000, 500_000), // before the navigation
  );
  const { cpu_ms, wall_ms } = sumBlocking(readMainThread(trace, MARKED_MS), 200);
  expect([cpu_ms, wall_ms]).toEqual([150 + 40, 150 + 250]);
});

test('A trace without a watched page is refused', () => {
  expect(() => readMainThread(traceOf(task(0, 1, 1)), MARKED_MS)).toThrow('no watched page');
});

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0, columnNumber: 5 });
/** One sample each 10 ms: own code, a native call of it, the map's engine, the browser, nothing to do, a pause of a second. */
const profile: Profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 4, 5, 6] },
    { id: 2, callFrame: frame('own', 'http://localhost/assets/index-AAAAAAAA.js'), children: [3] },
    { id: 3, callFrame: frame('getComputedStyle') },
    { id: 4, callFrame: frame('draw', 'http://localhost/assets/map~CenterMap-AAAAAAAA.js') },
    { id: 5, callFrame: frame('(program)') },
    { id: 6, callFrame: frame('(idle)') },
  ],
  startTime: 1_000_000,
  samples: [2, 3, 4, 5, 6, 2],
  timeDeltas: [0, 10_000, 10_000, 10_000, 10_000, 10_000],
};

test('Blocking time is shared by the innermost scripts of the samples within each task', () => {
  const blocking = listBlocking({ navigation_us: 0, tasks: [{ start_us: 1e6, wall_us: 100_000, cpu_us: 150_000 }] }, 0);
  const { own_ms, map_ms, browser_ms } = shareBlocking(profile, blocking);
  expect([own_ms, map_ms, browser_ms].map(Math.round)).toEqual([60, 20, 20]);
});

test('A native call counts to the function that makes it, and a pause between samples for 10 ms at most', () => {
  const paused = { ...profile, timeDeltas: [0, 1_000_000, 10_000, 10_000, 10_000, 10_000] };
  expect(listHotFunctions(paused).map(({ name, self_ms }) => [name, self_ms])).toEqual([
    ['own', 20],
    ['draw', 10],
  ]);
});

test('Jumps add up within 5 s and without a gap of a second; the largest sum counts', () => {
  const at = (at_ms: number, value: number) => ({ at_ms, value, moved: 'p' });
  expect(sumShifts([])).toBe(0);
  expect(sumShifts([at(0, 0.1), at(900, 0.1), at(2_000, 0.15)])).toBeCloseTo(0.2);
  expect(sumShifts(Array.from({ length: 8 }, (_, nth) => at(nth * 900, 0.1)))).toBeCloseTo(0.6);
});

test('A visit without a first or a largest paint is refused, as it would reach each goal', () => {
  const painted = { first_paint_ms: 100, lcp_ms: 120 };
  assertPainted(painted);
  expect(() => assertPainted({ ...painted, first_paint_ms: Number.NaN })).toThrow('no first paint');
  expect(() => assertPainted({ ...painted, lcp_ms: 0 })).toThrow('no largest paint');
  // Of a page that never painted, no task counts.
  const busy = { navigation_us: 0, tasks: [{ start_us: 0, wall_us: 1e6, cpu_us: 1e6 }] };
  expect(sumBlocking(busy, Number.NaN)).toEqual({ cpu_ms: 0, wall_ms: 0 });
});
