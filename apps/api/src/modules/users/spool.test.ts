import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spool } from './spool.ts';

async function* parts(count: number, failure?: Error): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) yield `line ${index} · ñ\n`;
  if (failure) throw failure;
}

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sendlap-spool-'));
});
afterAll(() => rm(parent, { recursive: true }));

test('a text that fails on its way is thrown before anything is given back, and leaves no file', async () => {
  await expect(spool(parts(3, new Error('the database is gone')), parent)).rejects.toThrow('the database is gone');
  expect(await readdir(parent)).toEqual([]);
});

test.each([0, 1, 20_000])('%i parts read back unchanged, and reading them deletes the file', async (count) => {
  let expected = '';
  for await (const part of parts(count)) expected += part;
  const { bytes, content } = await spool(parts(count), parent);
  const closed = once(content, 'close');
  expect(await text(content)).toBe(expected);
  expect(bytes).toBe(Buffer.byteLength(expected));
  await closed;
  await expect.poll(() => readdir(parent)).toEqual([]);
});

test('a reader that stops early deletes the file too', async () => {
  const { content } = await spool(parts(20_000), parent);
  const closed = once(content, 'close');
  content.destroy();
  await closed;
});
