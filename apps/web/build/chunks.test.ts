import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEXT_GROUPS, textFileOf } from '../src/shared/i18n/text-groups.ts';
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
  for (const noun of nouns) {
    const has_group = Object.values(TEXT_GROUPS).some((group) => group.includes(noun));
    expect([noun, isPrecached(`assets/texts-es-${textFileOf(noun)}-12345678.js`)]).toEqual([noun, has_group]);
  }
});
