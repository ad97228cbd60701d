import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { sendReport } from '../send-report.ts';
import { patchSources } from '../source-patches.ts';
import type { AttackReport } from './attack.ts';
import { CHECKS_OFF } from './checks-off.ts';

export interface SsrfOrder {
  /** Control arm: the checks are taken out of the code before it is loaded. */
  is_unchecked: boolean;
  /** Only each n-th attack. */
  every: number;
}

async function runSsrf({ is_unchecked, every }: SsrfOrder): Promise<AttackReport> {
  if (is_unchecked) patchSources(Object.values(CHECKS_OFF));
  const postgres = await openScratchPostgres();
  try {
    const { playSsrf } = await import('./play-ssrf.ts');
    return await playSsrf({ database_url: postgres.url, every });
  } finally {
    await postgres.remove();
  }
}

const report = await runSsrf(JSON.parse(process.argv[2] ?? '{}') as SsrfOrder);
sendReport(report);
