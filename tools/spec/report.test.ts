import { describe, expect, it } from 'vitest';
import { loadLedger } from './ledger.ts';
import { formatReport, joinClaims, REPORT_WIDTH } from './report.ts';

const { lines } = loadLedger();
const file = `apps/web/src/${'very-long-folder/'.repeat(8)}LoginScreen.test.tsx`;
const claims = [
  { id: '7.auth.callback', file, line: 41 },
  { id: '7.auth.callback', file: 'e2e/main-job.spec.ts', line: 12 },
];
const joined = joinClaims(lines, claims);

describe('the report', () => {
  it('fits its width, long paths too', () => {
    const rows = formatReport(joined, false).split('\n');
    expect(rows.filter((row) => row.length > REPORT_WIDTH)).toEqual([]);
  });

  it('lists every line of the ledger, each test with file and line, and says how many are open', () => {
    const report = formatReport(joined, false);
    expect(lines.filter((line) => !report.includes(` ${line.id} `))).toEqual([]);
    expect(report).toMatch(
      /✓ 7\.auth\.callback .*\n(.*\n)*?.*LoginScreen\.test\.tsx:41\n {6}e2e\/main-job\.spec\.ts:12\n/,
    );
    expect(report).toContain(`Spec: 1 of ${lines.length} shown, 0 depart, ${lines.length - 1} open`);
  });

  it('leaves shown lines out of the open ones, but counts them', () => {
    const report = formatReport(joined, true);
    expect(report).not.toContain('7.auth.callback ');
    expect(report).toContain('· 7.auth.login ');
    expect(report).toContain('7  The calls it makes: 1 of ');
  });
});
