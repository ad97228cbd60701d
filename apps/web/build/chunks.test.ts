import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHUNKS, TEXT_GROUPS } from './chunks.ts';
import { isPrecached } from './worker.ts';

const TEXTS = join(import.meta.dirname, '../src/shared/i18n/en');
const nouns = readdirSync(TEXTS).map((file) => file.replace('.json', ''));

test('each noun of a group has texts', () => {
  expect(
    Object.values(TEXT_GROUPS)
      .flat()
      .filter((noun) => !nouns.includes(noun)),
  ).toEqual([]);
});

test('the texts of a noun without a group are those that the worker does not precache', () => {
  const texts = CHUNKS.find(({ name }) => typeof name === 'function')?.name as (id: string) => string;
  for (const noun of nouns) {
    const name = texts(`/web/src/shared/i18n/es/${noun}.json?compiled`);
    const has_group = Object.values(TEXT_GROUPS).some((group) => group.includes(noun));
    expect([noun, isPrecached(`assets/${name}-12345678.js`)]).toEqual([noun, has_group]);
  }
});
