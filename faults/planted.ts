import { basename } from 'node:path';
import { ROOT } from '../tools/project.ts';
import { AREAS } from './planted/areas.ts';
import type { Fault, Journey } from './planted/fault.ts';
import { countCaught, describeAreas, type Outcome, problemsOf, readBefore, saveOutcomes } from './planted/outcome.ts';
import { findTests, hasJourney, runJourneys, runVitest, type Selection, type Verdict } from './planted/run-tests.ts';
import { createScratch, type Scratch, whyNotPlantable } from './planted/scratch.ts';

type Planned = Pick<Outcome, 'area' | 'fault'>;

/** The one area whose tests take seconds. */
const SMALL_AREA = 'domain';

/**
 * Plants one fault after the other in a copy of the tree and runs the tests that cover it: at least 95 % must be caught,
 * and none may be missed that was caught before. `--only name,name` and `--area area` choose; `--journeys` runs the
 * journey of a fault that Vitest missed. Control arm: the same tests without any fault, which must pass.
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
  try {
    await runControl(scratch, planned);
    const outcomes: Outcome[] = [];
    for (const one of planned) {
      outcomes.push(await tryFault(scratch, one, () => runInOrder(scratch, selectionsOf(scratch, one.fault))));
      saveOutcomes(ROOT, outcomes);
    }
    if (flags.journeys) await tryJourneys(scratch, outcomes);
    saveOutcomes(ROOT, outcomes);
    const left = outcomes.filter(({ fault, caught_by }) => caught_by === null && journeyOf(scratch, fault));
    return report(outcomes, flags.journeys ? [] : left);
  } finally {
    scratch.remove();
  }
}

/** A fault that no longer fits the code would be caught by nothing, or by everything. */
function checkFaults(planned: readonly Planned[]): void {
  if (planned.length === 0) throw new Error('no fault has this name or area');
  const names = planned.map(({ fault }) => fault.name);
  const problems = planned.flatMap(({ fault }) => {
    const why =
      names.indexOf(fault.name) === names.lastIndexOf(fault.name) ? whyNotPlantable(ROOT, fault) : 'it is there twice';
    return why === null ? [] : [`${fault.name}: ${why}`];
  });
  if (problems.length > 0) throw new Error(`these faults cannot be planted:\n${problems.join('\n')}`);
}

/** What to run, one after the other until a test fails: the screen tests named as the journey was, then all others. */
function selectionsOf({ root }: Scratch, { tests, file, journey }: Fault): Selection[] {
  const named = findTests(root, tests);
  if (named.length > 0) return [{ files: named }];
  const name = journey && basename(journey.file, '.spec.ts');
  const screens = name === undefined ? [] : findTests(root, [`apps/web/test/screens/${name}*.test.tsx`]);
  return [...(screens.length > 0 ? [{ files: screens }] : []), { related: [file] }];
}

async function runInOrder({ root }: Scratch, selections: readonly Selection[]): Promise<Verdict> {
  for (const selection of selections) {
    const verdict = await runVitest(root, selection);
    if (verdict) return verdict;
  }
  return null;
}

async function runControl(scratch: Scratch, planned: readonly Planned[]): Promise<void> {
  const selections = planned.flatMap(({ fault }) => selectionsOf(scratch, fault));
  const files = [...new Set(selections.flatMap((one) => ('files' in one ? one.files : [])))];
  const related = [...new Set(selections.flatMap((one) => ('related' in one ? one.related : [])))];
  for (const selection of [...(files.length > 0 ? [{ files }] : []), ...(related.length > 0 ? [{ related }] : [])]) {
    const verdict = await runVitest(scratch.root, selection);
    if (verdict) throw new Error(`without any fault fails ${verdict.test}: ${verdict.message}`);
  }
  console.log(
    `   control arm, without any fault: ${files.length} test files and what imports ${related.length} others pass`,
  );
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

function journeyOf({ root }: Scratch, { journey }: Fault): Journey | undefined {
  return journey && hasJourney(root, journey) ? journey : undefined;
}

/** Of what Vitest missed: all journeys without any fault, then each with its own. */
async function tryJourneys(scratch: Scratch, outcomes: Outcome[]): Promise<void> {
  const missed = outcomes.filter(({ fault, caught_by }) => caught_by === null && journeyOf(scratch, fault));
  const journeys = missed.flatMap(({ fault }) => journeyOf(scratch, fault) ?? []);
  if (journeys.length === 0) return;
  const red = await runJourneys(scratch.root, journeys);
  if (red) throw new Error(`without any fault fails ${red.test}: ${red.message}`);
  console.log(`   control arm, without any fault: ${journeys.length} journeys pass`);
  for (const one of missed) {
    const journey = journeyOf(scratch, one.fault);
    if (journey) Object.assign(one, await tryFault(scratch, one, () => runJourneys(scratch.root, [journey])));
    saveOutcomes(ROOT, outcomes);
  }
}

/** `left`: missed by Vitest, and their journeys were not run. Returns the figure of the nightly table, or throws. */
function report(outcomes: readonly Outcome[], left: readonly Outcome[]): { name: string; text: string }[] {
  const decided = outcomes.filter((outcome) => !left.includes(outcome));
  for (const line of describeAreas(AREAS, decided)) console.log(line);
  if (left.length > 0) console.log(`   left to journeys, which --journeys runs: ${left.length}`);
  const percent = ((100 * countCaught(decided)) / Math.max(1, decided.length)).toFixed(1);
  const text = `${countCaught(decided)} of ${decided.length}, ${percent} %`;
  console.log(`planted faults caught ${text}`);
  const problems = decided.length > 0 ? problemsOf(decided, readBefore()) : [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return [{ name: 'planted faults caught', text }];
}
