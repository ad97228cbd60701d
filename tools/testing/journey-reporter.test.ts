import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/project.ts';
import { type Journey, orderFiles, QUARANTINE_ANNOTATION, reportJourneys } from './journey-reporter.ts';

type Outcome = ReturnType<Journey['outcome']>;

const passed = { status: 'passed', duration: 50, errors: [], attachments: [], steps: [] };
const failedWith = (message: string): Journey['results'][number] => ({
  ...passed,
  status: 'failed',
  errors: [{ message }],
});

function makeJourney(title: string, outcome: Outcome, results: Journey['results'] = [passed]): Journey {
  return {
    location: { file: join(ROOT, 'e2e/chat.spec.ts') },
    annotations: [],
    results,
    titlePath: () => ['', 'no map', 'chat.spec.ts', 'a group', title],
    outcome: () => outcome,
  };
}

test('a journey that failed twice is a failure, listed with its first error', () => {
  const report = reportJourneys([makeJourney('sends', 'unexpected', [failedWith('late'), failedWith('later')])], []);
  expect(report).toMatchObject({ passed: 0, flaky: [], failed: [{ error: 'late' }] });
  expect(report.failed[0]?.name).toBe('e2e/chat.spec.ts › a group › sends');
});

test('a flaky journey counts as passed and keeps first error, trace and the last lines of the server log', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const attachments = [
    { name: 'trace', path: join(ROOT, '.cache/e2e/chat/trace.zip') },
    { name: 'server.log', body: Buffer.from(`${lines.join('\n')}\n`) },
  ];
  const first = { ...failedWith('no button'), attachments };
  const report = reportJourneys([makeJourney('sends', 'flaky', [first, passed]), makeJourney('reads', 'expected')], []);
  expect(report).toMatchObject({ passed: 2, failed: [] });
  expect(report.flaky).toEqual([
    {
      name: 'e2e/chat.spec.ts › a group › sends',
      error: 'no button',
      trace: '.cache/e2e/chat/trace.zip',
      server_log: lines.slice(10).join('\n'),
    },
  ]);
});

test('a journey under quarantine makes nothing red: it is reported with its outcome', () => {
  const quarantined = makeJourney('waits', 'unexpected', [failedWith('late'), failedWith('late')]);
  quarantined.annotations.push({ type: QUARANTINE_ANNOTATION, description: 'Ada: slow map, since 2026-11-01' });
  expect(reportJourneys([quarantined], [])).toMatchObject({
    passed: 0,
    failed: [],
    flaky: [],
    quarantined: [{ outcome: 'unexpected', terms: 'Ada: slow map, since 2026-11-01', note: { error: 'late' } }],
  });
});

test('the times of all attempts are added up for their file; a journey is one run, a skipped one none', () => {
  const journeys = [
    makeJourney('sends', 'flaky', [failedWith('late'), passed]),
    makeJourney('reads', 'skipped', []),
    makeJourney('opens', 'unexpected', [failedWith('late'), failedWith('late')]),
  ];
  expect(reportJourneys(journeys, ['no browser'])).toMatchObject({
    skipped: 1,
    errors: ['no browser'],
    files: [{ file: 'chat.spec.ts', runs: 2, failures: 1, flaky: 1, times: { total_ms: 200 } }],
  });
});

test('a Playwright that keeps its files elsewhere is refused, not silently left unordered', () => {
  expect(() => orderFiles([{ suites: [] }], {})).toThrow('keeps the files of a project elsewhere');
});

test('each project starts with its longest file', () => {
  const files = ['a.spec.ts', 'b.spec.ts'].map((name) => ({ location: { file: join(ROOT, 'e2e', name) } }));
  const project = { suites: files, _entries: [...files] };
  orderFiles([project], { 'a.spec.ts': 3, 'b.spec.ts': 40 });
  expect(project._entries).toEqual([files[1], files[0]]);
});
