import { appendFlaky, FLAKY_LEDGER } from './flaky-ledger.ts';
import type { PartResult } from './run-vitest.ts';
import { addReports, findFlakyProblems, type TestReport } from './test-report.ts';

/** Adds up the parts of a run, notes its flaky journeys in the ledger, and returns why it fails besides failed tests. */
export async function judge(
  results: readonly PartResult[],
  ledger = FLAKY_LEDGER,
): Promise<{ report: TestReport; problems: string[] }> {
  const report = addReports(results.flatMap((result) => result.report ?? []));
  await appendFlaky(report.flaky, ledger);
  return { report, problems: [...results.flatMap((result) => result.problems), ...findFlakyProblems(report)] };
}
