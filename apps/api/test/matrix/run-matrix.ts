import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import { setup as cutWorld } from '../world-setup.ts';
import { CHECKS_OFF } from './checks-off.ts';
import type { Cell } from './play.ts';

export interface MatrixOrder {
  /** Control arm: checks are taken out of the code before it is loaded. */
  is_unchecked: boolean;
  /** Only the operations of those checks are called. */
  is_small: boolean;
}

export interface MatrixReport {
  played: number;
  wrong: Cell[];
  /** Which texts of others each caller has read, as '<caller>: <text>'. */
  seen: string[];
  callers: number;
  operations: number;
  /** What no row calls. */
  gaps: string[];
}

async function runMatrix({ is_unchecked, is_small }: MatrixOrder): Promise<MatrixReport> {
  if (is_unchecked) patchSources(Object.values(CHECKS_OFF));
  const { MatrixWorld } = await import('./matrix-world.ts');
  const { playMatrix, ROWS } = await import('./play.ts');
  const { openBodyUses } = await import('./body-gaps.ts');
  const { findGaps } = await import('./row-gaps.ts');
  const { CALLER_NAMES } = await import('./callers.ts');
  const { operationOf } = await import('../contract-endpoints.ts');
  await cutWorld();
  const postgres = await openScratchPostgres();
  const world = await MatrixWorld.open(postgres.url);
  try {
    const checked = new Set(Object.values(CHECKS_OFF).map(({ operation }) => operation));
    const rows = is_small ? ROWS.filter(({ endpoint }) => checked.has(operationOf(endpoint))) : ROWS;
    const operations = new Set(rows.map(({ endpoint }) => operationOf(endpoint))).size;
    const uses = await openBodyUses(world.api.database);
    const cells = await playMatrix(world, rows, uses);
    const gaps = [...findGaps(world.api.app.swagger()), ...(is_small ? [] : uses.findGaps())];
    const wrong = cells.filter((cell) => cell.wrong.length > 0);
    const seen = new Set(cells.flatMap((cell) => cell.seen.map((label) => `${cell.caller}: ${label}`)));
    return { played: cells.length, wrong, seen: [...seen], callers: CALLER_NAMES.length, operations, gaps };
  } finally {
    await world.close();
    await postgres.remove();
  }
}

const report = await runMatrix(JSON.parse(process.argv[2] ?? '{}') as MatrixOrder);
sendReport(report);
