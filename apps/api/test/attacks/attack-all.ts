import { sql } from 'kysely';
import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import type { Attack } from './attack.ts';
import { CHECKS_SWITCHED_OFF } from './switched-off.ts';

export interface AttackOrder {
  /** Control arm: every check is switched off in the code before it is loaded. */
  unchecked: boolean;
  honest: number;
}

export interface Attempted {
  group: string;
  name: string;
  expected: string;
  result: string;
  has_no_switch: boolean;
}

export interface AttackReport {
  attempted: Attempted[];
  /** Honest scans, by kind. */
  honest: [kind: string, accepted: number, of: number][];
  /** The reasons why honest scans were refused. */
  refusals: string[];
  /** Found by `scores verify` after all attacks and honest scans. */
  differences: number;
}

async function attackAll({ unchecked, honest: scans }: AttackOrder): Promise<AttackReport> {
  if (unchecked) patchSources(CHECKS_SWITCHED_OFF);
  const { openClockedWorld } = await import('../scenes/clocked-world.ts');
  const { Stage } = await import('./attack.ts');
  const { clockAttacks, codeAttacks } = await import('./code-attacks.ts');
  const { rightAttacks } = await import('./right-attacks.ts');
  const { opAttacks, venueAttacks } = await import('./op-attacks.ts');
  const { scanHonestly } = await import('./honest.ts');
  const { verifyScores } = await import('#api/modules/activities/points/verify-scores.ts');
  const postgres = await openScratchPostgres();
  const world = await openClockedWorld({ database_url: postgres.url });
  try {
    // The database also refuses overlaps, which is a check too.
    if (unchecked)
      await sql`alter table activities drop constraint activities_do_not_overlap`.execute(world.api.database);
    const kiosk = await world.pairKiosk(world.center);
    const groups: Record<string, Attack[]> = {
      codes: codeAttacks,
      'clocks and times': clockAttacks,
      rights: rightAttacks,
      ops: opAttacks,
      kiosk: venueAttacks,
    };
    const attempted: Attempted[] = [];
    for (const [group, attacks] of Object.entries(groups)) {
      for (const attack of attacks) {
        const stage = await Stage.open(world, kiosk);
        const result = await attack.attempt(stage).catch((error: unknown) => `failed: ${String(error)}`);
        const { name, expected, has_no_switch = false } = attack;
        attempted.push({ group, name, expected, result, has_no_switch });
      }
    }
    const honest = scans > 0 ? await scanHonestly(world, kiosk, scans) : { kinds: [], refusals: [] };
    const { differences } = await verifyScores(world.api.database);
    return { attempted, honest: honest.kinds, refusals: honest.refusals, differences: differences.length };
  } finally {
    await world.close();
    await postgres.remove();
  }
}

const report = await attackAll(JSON.parse(process.argv[2] ?? '{}') as AttackOrder);
sendReport(report);
