import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import { CHECKS_OFF } from './checks-off.ts';
import type { FuzzReport } from './play-requests.ts';

export interface FuzzOrder {
  seed: number;
  requests: number;
  /** Control arm: the checks are taken out of the code before it is loaded; only their operations are called. */
  is_unchecked: boolean;
}

async function runFuzz({ seed, requests, is_unchecked }: FuzzOrder): Promise<FuzzReport> {
  if (is_unchecked) patchSources(Object.values(CHECKS_OFF));
  const { MatrixWorld } = await import('../matrix/matrix-world.ts');
  const { playRequests } = await import('./play-requests.ts');
  const postgres = await openScratchPostgres();
  const world = await MatrixWorld.open(postgres.url);
  const only = Object.values(CHECKS_OFF).flatMap(({ operations }) => operations);
  try {
    return await playRequests(world, { seed, requests, ...(is_unchecked && { only }) });
  } finally {
    await world.close();
    await postgres.remove();
  }
}

const report = await runFuzz(JSON.parse(process.argv[2] ?? '{}') as FuzzOrder);
sendReport(report);
