import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRecords } from './open-records.ts';
import { openFile } from './read-file.ts';

const feature = (id: number) =>
  JSON.stringify({
    type: 'Feature',
    id: `node/${id}`,
    properties: { name: `Sala ñ ${id}` },
    geometry: { type: 'Point', coordinates: [2, 41] },
  });
const features = Array.from({ length: 5000 }, (_, id) => feature(id));

async function readRefs(file: Blob): Promise<string[]> {
  const refs: string[] = [];
  for await (const record of openRecords(file).records) refs.push('code' in record ? record.code : record.source_ref);
  return refs;
}

/** Creates a blob that pretends to be larger than it is. */
function pretendSize(text: string, size: number): Blob {
  return Object.defineProperty(new Blob([text]), 'size', { value: size });
}

const TOO_LARGE = 200_000_001;
const refs = features.map((_, id) => `node/${id}`);

describe('a file of more than 200 MB', () => {
  it('is refused as a document, with the way to import it', async () => {
    const file = pretendSize(`{"features": [${features.join(',\n')}]}`, TOO_LARGE);
    await expect(readRefs(file)).rejects.toThrow(/more than 200 MB.*GeoJSONSeq/);
    await expect(readRefs(pretendSize('{"elements": []}', TOO_LARGE))).rejects.toThrow('more than 200 MB');
  });

  it('is read as a text sequence, one feature a line or with record separators', async () => {
    expect(await readRefs(pretendSize(features.join('\r\n'), TOO_LARGE))).toEqual(refs);
    const marked = features.map((text) => `\u001e${JSON.stringify(JSON.parse(text), null, 2)}\n`).join('');
    expect(await readRefs(pretendSize(marked, TOO_LARGE))).toEqual(refs);
  });
});

describe('a text sequence', () => {
  it('is refused at the line of a fault, or of text in another encoding', async () => {
    const lines = [...features.slice(0, 3000), '{"type": oops}', ...features.slice(3000)];
    await expect(readRefs(new Blob([lines.join('\n')]))).rejects.toThrow('line 3001, column 10: Unexpected token');
    const marked = '\u001e{"type":\n "Feature"}\n\u001e{"type":\n oops}\n';
    await expect(readRefs(new Blob([marked]))).rejects.toThrow('line 4, column 2: Unexpected token');
    const latin1 = Buffer.from(`${features.slice(0, 9).join('\n')}`, 'latin1');
    await expect(readRefs(new Blob([latin1]))).rejects.toThrow('line 1: this is not UTF-8 text');
    const mixed = [`${features.slice(0, 9).join('\n')}\n`, Buffer.from(feature(9), 'latin1')];
    await expect(readRefs(new Blob(mixed))).rejects.toThrow('line 10: this is not UTF-8 text');
  });

  it('has one feature where no other follows', async () => {
    expect(await readRefs(new Blob([`${feature(1)}\n\n`]))).toEqual(['node/1']);
  });

  it('has no feature of more than 16 MB', async () => {
    const long = feature(1).replace('Sala', 'x'.repeat(17e6));
    await expect(readRefs(new Blob([`${feature(0)}\n${long}`]))).rejects.toThrow('line 2: it has more than 16 MB');
  });
});

it('a file that grows after it was opened is refused in one sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-growing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'centers.geojson');
  await writeFile(path, features.slice(0, 2).join('\n'));
  const file = await openFile(path);
  await appendFile(path, features.slice(2, 4).join('\n'));
  await expect(readRefs(file)).rejects.toMatchObject({ name: 'ImportError', code: 'unreadable' });
});
