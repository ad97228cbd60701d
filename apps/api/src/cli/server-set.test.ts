import { getServerProfile } from '@sendlap/contract/server-profile.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { runVerb } from '#test/run-verb.ts';
import { command } from './server-set.ts';

const FOR_EVERYONE = 'Loads of areas: everyone\n';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
beforeEach(async () => {
  for (const table of ['server_profile', 'audit_entries'] as const) await api.database.deleteFrom(table).execute();
});
afterAll(() => api.close());

const set = (...args: string[]) => runVerb(api.database, command.run, args);
const readProfile = async () => (await api.app.inject({ url: getServerProfile.path })).json().data;
const readAudit = () =>
  api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'details']).orderBy('id').execute();

test.each([
  [['more']],
  [['--name']],
  [['--name', '']],
  [['--name', '  ']],
  [['--name', 'n'.repeat(41)]],
  [['--town']],
  [['--no-map']],
])('%j is wrong usage, and changes nothing', async (args) => {
  const { code, stdout, stderr } = await set(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('npm run sendlap -- server set');
  expect(await readAudit()).toEqual([]);
});

test.each(['Nowhere at all', '', '!'])(
  'a town that does not exist (%j) is refused, and the name stays too',
  async (town) => {
    const refusal = { code: 1, stdout: '', stderr: `No town is called ${town}.\n` };
    expect(await set('--town', town, '--name', 'Club')).toEqual(refusal);
    expect(await readProfile()).toMatchObject({ name: null, town: null });
    expect(await readAudit()).toEqual([]);
  },
);

test('without options it prints the profile and changes nothing', async () => {
  expect(await set()).toEqual({ code: 0, stdout: `Name: Sendlap\nTown: not chosen\n${FOR_EVERYONE}`, stderr: '' });
  expect(JSON.parse((await set('--json')).stdout)).toEqual({ name: null, town: null, area_loads: 'everyone' });
  expect(await readAudit()).toEqual([]);
});

test('the running server has the name and the town at once, and each change is in the audit trail', async () => {
  const { stdout } = await set('--name', '  Club Vertical ', '--town', 'Londres');
  expect(stdout).toBe(`Name: "Club Vertical"\nTown: London, United Kingdom\n${FOR_EVERYONE}`);
  const town = { id: 'geonames:2643743', name: 'London', country: 'GB' };
  expect(await readProfile()).toMatchObject({ name: 'Club Vertical', town });
  expect((await set('--no-town')).stdout).toBe(`Name: "Club Vertical"\nTown: not chosen\n${FOR_EVERYONE}`);
  expect(await readProfile()).toMatchObject({ name: 'Club Vertical', town: null });
  expect((await set('--no-name', '--town', 'Bilbao')).stdout).toBe(
    `Name: Sendlap\nTown: Bilbao, Spain\n${FOR_EVERYONE}`,
  );
  expect((await set('--area-loads', 'operators')).stdout).toContain('Loads of areas: operators\n');
  expect(await readProfile()).toMatchObject({ name: null, area_loads: 'operators' });
  const act = { act: 'server_updated', actor_id: null };
  expect(await readAudit()).toEqual([
    { ...act, details: { name: 'Club Vertical', town_id: town.id } },
    { ...act, details: { town_id: null } },
    { ...act, details: { name: null, town_id: expect.stringMatching(/^geonames:\d+$/) } },
    { ...act, details: { area_loads: 'operators' } },
  ]);
});

test('no name draws on the terminal', async () => {
  const { stdout } = await set('--name', 'Club\u001b[2J\u202e\u009b');
  expect(stdout).toMatch(/^Name: "Club \[2J"\n/);
  for (const mark of ['\u001b', '\u009b', '\u202e']) expect(stdout).not.toContain(mark);
});
