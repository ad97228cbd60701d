import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import type { PlayedCheat } from './cheat-outcome.ts';
import { FAIR_PROOF_PATCHES, STRICT_PATCHES } from './fair-proof-patches.ts';
import type { ReplayedWeeks } from './replay-honest-weeks.ts';

export interface FairProofOrder {
  /** Honest clubs that live on the server. */
  clubs: number;
  seed: number;
  /** Rules to remove. */
  without?: string[];
  /** A rule to make too strict; then no cheat is played. */
  strict?: string;
  /** Part of the name of the only cheat to play. */
  cheat?: string;
}

export interface FairProofReport {
  cheats: PlayedCheat[];
  honest: ReplayedWeeks;
}

/** A larger club shows nothing more on the server, and takes long. */
const MAX_MEMBERS = 12;

async function playAll(order: FairProofOrder): Promise<FairProofReport> {
  const { clubs, seed, without = [], strict, cheat: part = '' } = order;
  const removed = without.flatMap((rule) => FAIR_PROOF_PATCHES[rule]?.patches ?? []);
  const patches = [...removed, ...(strict === undefined ? [] : (STRICT_PATCHES[strict] ?? []))];
  if (patches.length > 0) patchSources(patches);
  const { openClockedWorld } = await import('../scenes/clocked-world.ts');
  const { playCheat } = await import('./cheat.ts');
  const { kioskCheats } = await import('./kiosk-cheats.ts');
  const { peopleCheats } = await import('./people-cheats.ts');
  const { replayOnServer } = await import('./replay-honest-weeks.ts');
  const postgres = await openScratchPostgres();
  const world = await openClockedWorld({ database_url: postgres.url });
  try {
    const cheats: PlayedCheat[] = [];
    for (const cheat of strict === undefined ? [...kioskCheats, ...peopleCheats] : []) {
      if (cheat.name.includes(part)) cheats.push(await playCheat(world, cheat));
    }
    return { cheats, honest: await replayOnServer(world, { clubs, seed, max_members: MAX_MEMBERS }) };
  } finally {
    await world.close();
    await postgres.remove();
  }
}

const report = await playAll(JSON.parse(process.argv[2] ?? '{}') as FairProofOrder);
sendReport(report);
