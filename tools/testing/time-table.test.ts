import { expect, test } from 'vitest';
import { formatTimes } from './time-table.ts';
import { sumProjects } from './vitest-times.ts';

test('a project lasts from the start of its first file to the end of its last, whatever runs beside it', () => {
  const runs = [
    { project: 'unit', started_at: 1000, ended_at: 3000, tests_ms: 500 },
    { project: 'api', started_at: 2000, ended_at: 9000, tests_ms: 6000 },
    { project: 'unit', started_at: 1500, ended_at: 4000, tests_ms: 700 },
  ];
  expect(sumProjects(runs)).toEqual([
    { project: 'unit', wall_ms: 3000, tests_ms: 1200 },
    { project: 'api', wall_ms: 7000, tests_ms: 6000 },
  ]);
});

test('the table has a row for each part, project and journey file', () => {
  const times = { server_ms: 4000, sign_up_ms: 3000, waiting_ms: 2000, acting_ms: 1000, total_ms: 12_000 };
  const table = formatTimes({
    parts: [{ name: 'check', wall_ms: 20_340 }],
    projects: [{ project: 'unit', wall_ms: 7000, tests_ms: 6000 }],
    journeys: [{ file: 'chat.spec.ts', runs: 3, failures: 0, flaky: 0, times }],
  });
  const rows = table.split('\n').map((row) => row.split(/ +/));
  expect(rows).toEqual([
    ['seconds', 'wall', 'tests', 'server', 'sign-up', 'waiting', 'acting'],
    ['check', '20.3'],
    ['unit', '7.0', '6.0'],
    ['chat.spec.ts', '12.0', '4.0', '3.0', '2.0', '1.0'],
  ]);
});
