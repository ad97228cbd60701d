import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHUNKS, TEXT_ROOMS } from './chunks.ts';
import { isPrecached } from './worker.ts';

const TEXTS = join(import.meta.dirname, '../src/shared/i18n/en');
const nouns = readdirSync(TEXTS).map((file) => file.replace('.json', ''));

test('each noun of a room has texts', () => {
  expect(
    Object.values(TEXT_ROOMS)
      .flat()
      .filter((noun) => !nouns.includes(noun)),
  ).toEqual([]);
});

test('the texts of a noun without a room are those that the worker does not precache', () => {
  const texts = CHUNKS.find(({ name }) => typeof name === 'function')?.name as (id: string) => string;
  for (const noun of nouns) {
    const name = texts(`/web/src/shared/i18n/es/${noun}.json?compiled`);
    const has_room = Object.values(TEXT_ROOMS).some((room) => room.includes(noun));
    expect([noun, isPrecached(`assets/${name}-12345678.js`)]).toEqual([noun, has_room]);
  }
});
