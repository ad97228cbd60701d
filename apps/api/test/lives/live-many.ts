import fc from 'fast-check';
import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import { RULE_PATCHES } from './rule-patches.ts';

export interface LivesOrder {
  lives: number;
  /** A rule to change in the code before it is loaded. */
  arm?: string;
}

export interface LivesReport {
  lives: number;
  steps: number;
  duration_s: number;
  /** The outcomes of the ops, the most frequent first. */
  outcomes: [string, number][];
  /** The smallest life found whose outcome differs from the model's. */
  difference?: string;
}

/** Lives that run concurrently, each with a cast of its own: more than the database server has processors. */
const BESIDE_EACH_OTHER = 6;
const PROGRESS_EVERY = 5_000;

async function live({ lives: wanted, arm: name }: LivesOrder): Promise<LivesReport> {
  if (name !== undefined) patchSources(RULE_PATCHES[name] ?? []);
  const { openClockedWorld } = await import('../scenes/clocked-world.ts');
  const { lives: anyLife } = await import('./commands.ts');
  const { makeCast, playLife } = await import('./play.ts');
  const postgres = await openScratchPostgres();
  const world = await openClockedWorld({ database_url: postgres.url });
  const counts = new Map<string, number>();
  let [lived, steps, difference] = [0, 0, undefined as string | undefined];
  const started_at = performance.now();
  try {
    const liveOn = async (numRuns: number) => {
      // Two casts with one kiosk would share its codes.
      const kiosk = await world.pairKiosk(world.center);
      const cast = await makeCast(world, kiosk);
      const property = fc.asyncProperty(anyLife, async (life) => {
        // A concurrent run has found a difference, which is enough.
        if (difference !== undefined) return;
        const outcomes = await playLife(world, cast, life);
        lived += 1;
        steps += outcomes.length;
        for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        if (lived % PROGRESS_EVERY === 0) console.log(`   ${lived} lives`);
      });
      const result = await fc.check(property, { numRuns });
      if (result.failed) difference ??= fc.defaultReportMessage(result);
    };
    await Promise.all(Array.from({ length: BESIDE_EACH_OTHER }, () => liveOn(Math.ceil(wanted / BESIDE_EACH_OTHER))));
  } finally {
    await world.close();
    await postgres.remove();
  }
  const duration_s = (performance.now() - started_at) / 1000;
  const outcomes = [...counts].sort(([, a], [, b]) => b - a);
  return { lives: lived, steps, duration_s, outcomes, ...(difference === undefined ? {} : { difference }) };
}

const report = await live(JSON.parse(process.argv[2] ?? '{}') as LivesOrder);
sendReport(report);
