import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { runVerb } from '#test/run-verb.ts';
import { command } from './centers-import.ts';

let database: Database;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), 'sendlap-import-'));

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const run = (args: string[], is_tty = false) => runVerb(database, command.run, args, '', is_tty);

const feature = (id: string, properties: object) => ({
  type: 'Feature',
  id,
  properties,
  geometry: { type: 'Point', coordinates: [2.17, 41.4] },
});
const features = [
  feature('node/1', { leisure: 'sports_centre', sport: 'climbing', name: 'Sala', indoor: 'yes' }),
  feature('node/2', { sport: 'climbing', name: 'Roca', natural: 'cliff' }),
];
const good = write('good.geojson', JSON.stringify({ type: 'FeatureCollection', features }));

it('ends with 2 and the usage for wrong usage', async () => {
  for (const args of [
    [],
    [good, good],
    [good, '--fast'],
    [good, '--source', 'a b'],
    [good, '--fresh'],
    [good, '--endpoint', 'https://a.example'],
    ['overpass:London', '--mapping', good],
    ['overpass:London', '--endpoint', 'nowhere'],
  ]) {
    const result = await run(args);
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stderr).toContain('npm run sendlap -- centers import <file>');
  }
});

it('ends with 1 for a file that is broken, missing, or holds nothing usable, and says where and why', async () => {
  const broken = await run([write('broken.json', '{"features": [\n{,')]);
  expect(broken).toMatchObject({ code: 1, stdout: '' });
  expect(broken.stderr).toContain('nothing was loaded');
  expect(broken.stderr).toContain('line 2, column 2');
  expect((await run([join(folder, 'missing.json')])).stderr).toContain("the file can't be read");
  const useless = await run([write('crag.geojson', JSON.stringify({ features: [features[1]] }))]);
  expect(useless.code).toBe(1);
  expect(useless.stdout).toContain('1 read = 0 imported + 0 updated + 0 unchanged + 0 merged + 1 refused');
  const json = await run([join(folder, 'broken.json'), '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'not_json', line: 2 } });
});

it('prints the sum and the reasons, writes the whole report, and changes nothing the second time', async () => {
  const report = join(folder, 'report.json');
  const first = await run([good, '--report', report, '--licence', 'ODbL-1.0'], true);
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('2 read = 1 imported + 0 updated + 0 unchanged + 0 merged + 1 refused');
  expect(first.stdout).toContain('natural crags (crag)');
  expect(first.stderr).toContain('█');
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    read: 2,
    refused: [{ ref: 'osm:node/2', code: 'crag' }],
  });
  const second = await run([good, '--licence', 'ODbL-1.0']);
  expect(second.stdout).toContain('2 read = 0 imported + 0 updated + 1 unchanged + 0 merged + 1 refused');
  expect(second.stderr).toBe('');
});

it('writes nothing in a dry run, and prints JSON alone with --json', async () => {
  const other = write(
    'other.geojson',
    JSON.stringify({ features: [{ ...features[0], id: 'node/7', geometry: { type: 'Point', coordinates: [3, 42] } }] }),
  );
  expect(JSON.parse((await run([other, '--dry-run', '--json'], true)).stdout)).toMatchObject({
    dry_run: true,
    imported: 1,
  });
  expect(JSON.parse((await run([other, '--json'])).stdout)).toMatchObject({ dry_run: false, imported: 1 });
});

it('prints its usage when asked', async () => {
  const { code, stdout, stderr } = await run(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const part of ['centers import <file> [options]', '--dry-run', '"columns"', 'Exit code: 0 imported'])
    expect(stdout).toContain(part);
});

const table = 'Id;Name;Lat;Lon\n1;Sala Uno;41,4;2,6\n2;Sala Dos;41,5;2,6\n3;Sala Tres;41,6;2,6\n4;Sala Nada;;\n';
const mapping = {
  columns: { name: 'Name', latitude: 'Lat', longitude: 'Lon', ref: 'Id' },
  sports: ['climbing'],
  delimiter: ';',
  source: 'city',
  licence: 'CC0-1.0',
  attribution: 'City',
};

it('imports a table with a mapping, and refuses one whose mapping is wrong', async () => {
  const wrong = await run([write('t.csv', table), '--mapping', write('wrong.json', '{"columns": {}}')]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('the mapping file does not have its form') });
  const missing = await run([write('t.csv', table), '--mapping', join(folder, 'missing.json')]);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("the mapping file can't be read") });
  const done = await run([write('t.csv', table), '--mapping', write('mapping.json', JSON.stringify(mapping))]);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('4 read = 3 imported') });
});

it('closes with --complete the centers that the file lacks, more than a third of them only with --yes', async () => {
  const args = [
    '--mapping',
    write('mapping.json', JSON.stringify(mapping)),
    '--complete',
    '--report',
    join(folder, 'closed.json'),
  ];
  const one = write('one.csv', table.split('\n').slice(0, 2).join('\n'));
  const refused = await run([one, ...args]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('2 of 3 open centers of city are not in it'),
  });
  expect(existsSync(join(folder, 'closed.json'))).toBe(false);
  const closed = await run([one, ...args, '--yes']);
  expect(closed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 centers are closed') });
  const report = JSON.parse(readFileSync(join(folder, 'closed.json'), 'utf8'));
  expect(report).toMatchObject({ closed: 2, refused: [], merged: [] });
  expect(report.closed_centers.map(({ ref }: { ref: string }) => ref).sort()).toEqual(['city:2', 'city:3']);
});

it('refuses an invalid area', async () => {
  expect(await run(['overpass:Xqzzyq'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no town is called'),
  });
});
