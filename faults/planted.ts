import { ROOT } from '../tools/project/project.ts';
import { AREAS } from './planted/areas.ts';
import {
  countCaught,
  countOutsideOfTests,
  describeAreas,
  type Outcome,
  problemsOf,
  readCaught,
  saveOutcomes,
} from './planted/outcome.ts';
import { findTests, runJourneys, runVitest, type Verdict, whyUntested } from './planted/run-tests.ts';
import { createScratch, type Scratch, whyNotPlantable } from './planted/scratch.ts';

type Planned = Pick<Outcome, 'area' | 'fault'>;

/** The only area whose tests take seconds. */
const SMALL_AREA = 'domain';

/**
 * Faults tried concurrently, each in a copy of its own: a failing test mostly waits for something that does not happen.
 */
const COPIES = 2;

/** For all test files that cover a fault, run one after another. */
const LONGEST_CONTROL_MS = 1_200_000;

/**
 * Plants each fault alone in a copy of the tree and runs the tests that cover it: at least 95 % must be caught,
 * including each of `caught.json`. `--only name,name` and `--area area` choose; `--journeys` runs the journey of
 * a fault that Vitest missed. Control arm: the same tests without any fault, which must pass.
 */
export async function run(
  flags: Record<string, boolean>,
  { only, area = flags.small ? SMALL_AREA : undefined }: Record<string, string | undefined> = {},
) {
  const names = only?.split(',');
  const planned: Planned[] = AREAS.flatMap((one) => one.faults.map((fault) => ({ area: one.area, fault }))).filter(
    (one) => (names?.includes(one.fault.name) ?? true) && (area ?? one.area) === one.area,
  );
  checkFaults(planned);
  const scratch = createScratch(ROOT);
  const copies = [scratch];
  try {
    while (copies.length < Math.min(COPIES, planned.length)) copies.push(createScratch(ROOT));
    await runControl(scratch, planned);
    const outcomes = await tryFaults(copies, planned);
    if (flags.journeys) await tryJourneys(scratch, outcomes);
    saveOutcomes(ROOT, outcomes);
    const left = outcomes.filter(({ fault, caught_by }) => caught_by === null && fault.journey);
    return report(outcomes, flags.journeys ? [] : left);
  } finally {
    for (const copy of copies) copy.remove();
  }
}

/** A fault that no longer fits the code would be caught by no test, or by all. */
function checkFaults(planned: readonly Planned[]): void {
  if (planned.length === 0) throw new Error('no fault has this name or area');
  const names = planned.map(({ fault }) => fault.name);
  const problems = planned.flatMap(({ fault }) => {
    const is_twice = names.indexOf(fault.name) !== names.lastIndexOf(fault.name);
    const why = is_twice ? 'it is there twice' : (whyNotPlantable(ROOT, fault) ?? whyUntested(ROOT, fault));
    return why === null ? [] : [`${fault.name}: ${why}`];
  });
  if (problems.length > 0) throw new Error(`these faults cannot be planted:\n${problems.join('\n')}`);
}

async function runControl({ root }: Scratch, planned: readonly Planned[]): Promise<void> {
  const files = findTests(
    root,
    planned.flatMap(({ fault }) => fault.tests),
  );
  const red = await runVitest(root, files, LONGEST_CONTROL_MS);
  if (red) throw new Error(`without any fault fails ${red.test}: ${red.message}`);
  console.log(`   control arm, without any fault: ${files.length} test files pass`);
}

/** Tries faults with Vitest; returns the outcomes in the order in which they ended. */
async function tryFaults(copies: readonly Scratch[], planned: readonly Planned[]): Promise<Outcome[]> {
  const waiting = planned.filter(({ fault }) => fault.tests.length > 0);
  const by_journey = planned.filter(({ fault }) => fault.tests.length === 0);
  const outcomes: Outcome[] = by_journey.map((one) => ({ ...one, caught_by: null, seconds: 0 }));
  const lanes = copies.map(async (copy) => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { tests } = one.fault;
      outcomes.push(await tryFault(copy, one, () => runVitest(copy.root, findTests(copy.root, tests))));
      saveOutcomes(ROOT, outcomes);
    }
  });
  // A copy is removed only once no test runs in it.
  const ends = await Promise.allSettled(lanes.map((lane) => lane.finally(() => waiting.splice(0))));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return outcomes;
}

async function tryFault(
  scratch: Scratch,
  { area, fault }: Planned,
  runTests: () => Promise<Verdict>,
): Promise<Outcome> {
  const started_at = performance.now();
  const takeOut = scratch.plant(fault);
  const verdict = await runTests().finally(takeOut);
  const seconds = (performance.now() - started_at) / 1000;
  const words = verdict ? `caught by ${verdict.test}: ${verdict.message}` : `MISSED: ${fault.harm}`;
  console.log(`${seconds.toFixed(0).padStart(6)} s  ${area}, ${fault.name}: ${words}`);
  return { area, fault, seconds, caught_by: verdict?.test ?? null };
}

/** For faults that Vitest missed: runs all journeys without any fault, then each with its own. */
async function tryJourneys(scratch: Scratch, outcomes: Outcome[]): Promise<void> {
  const missed = outcomes.filter(({ fault, caught_by }) => caught_by === null && fault.journey);
  const journeys = missed.flatMap(({ fault }) => fault.journey ?? []);
  if (journeys.length === 0) return;
  const red = await runJourneys(scratch.root, journeys);
  if (red) throw new Error(`without any fault fails ${red.test}: ${red.message}`);
  console.log(`   control arm, without any fault: ${journeys.length} journeys pass`);
  for (const one of missed) {
    const { journey } = one.fault;
    if (journey) Object.assign(one, await tryFault(scratch, one, () => runJourneys(scratch.root, [journey])));
    saveOutcomes(ROOT, outcomes);
  }
}

/**
 * `left`: faults that Vitest missed and whose journeys did not run. Returns the figure of the nightly table, or throws.
 */
function report(outcomes: readonly Outcome[], left: readonly Outcome[]): { name: string; text: string }[] {
  const decided = outcomes.filter((outcome) => !left.includes(outcome));
  for (const line of describeAreas(AREAS, decided)) console.log(line);
  if (left.length > 0) console.log(`   left to journeys, which --journeys runs: ${left.length}`);
  const percent = ((100 * countCaught(decided)) / Math.max(1, decided.length)).toFixed(1);
  const outside = countOutsideOfTests(decided);
  const hung = outside > 0 ? `, ${outside} of them by a run that hung or broke` : '';
  const text = `${countCaught(decided)} of ${decided.length}, ${percent} %${hung}`;
  console.log(`planted faults caught ${text}`);
  const problems = decided.length > 0 ? problemsOf(decided, readCaught()) : [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return [{ name: 'planted faults caught', text }];
}
