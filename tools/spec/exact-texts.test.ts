import { describe, expect, it } from 'vitest';
import { containsText, findMissingTexts, findUnquotedTexts, isProductFile } from './exact-texts.ts';
import type { SpecLine } from './ledger.ts';

const line = (id: string, exact?: string): SpecLine => ({ id, section: 8, issue: 7, name: 'x', exact });

describe('a claimed exact text', () => {
  it('is reported when it occurs nowhere', () => {
    const lines = [line('8.chat.load', 'Failed to load chats'), line('8.chat.send', 'Failed to send message')];
    const claimed = new Set(['8.chat.load', '8.chat.send']);
    expect(findMissingTexts(lines, claimed, '{ "load": "Failed to load chats" }')).toEqual([lines[1]]);
  });

  it('is not required before a test claims it, nor from a line without exact text', () => {
    expect(findMissingTexts([line('8.chat.load', 'Failed to load chats')], new Set(), '')).toEqual([]);
    expect(findMissingTexts([line('8.chat.load')], new Set(['8.chat.load']), '')).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['the beginning of a longer one', 'Authentication failed', '"Authentication failed - please login again"'],
    ['the end of a longer one', 'Network error', "'No Network error'"],
    ['with other capitals', 'Authentication Failed', '"Authentication failed"'],
    ['part of a word', 'TIMEOUT', 'REQUEST_TIMEOUT_MS'],
    ['part of a word with dashes', 'sync-offline-data', '"sync-offline-data-2"'],
    ['an unquoted word of the code', 'Synced', 'type Synced = boolean;'],
    ['with a dot where the spec has another character', 'Syncing...', '"Syncingxyz"'],
  ])('is missing as %s', (_, exact, source) => {
    expect(containsText(source, exact)).toBe(false);
  });

  it.each([
    ['a JSON value', "You're offline - Changes", '{ "a": "You\'re offline - Changes" }'],
    ['a string', 'Network error', "throw new ApiError('Network error')"],
    ['the words of an element', 'Sync failed', '<p>\n  Sync failed\n</p>'],
    ['a translation with a value', '{n} pending', '"pending_one": "{{count}} pending"'],
    ['a template with a value', 'Invalid chat ID provided: {value}', '`Invalid chat ID provided: $' + '{id}`'],
    ['the key of a table', 'AUTH_REQUIRED', '{ AUTH_REQUIRED: 401 }'],
    ['a class', 'BioInfoNotFoundError', 'class BioInfoNotFoundError extends Error {}'],
    ['a path', '/sw.js', "register('/sw.js')"],
  ])('is present as %s', (_, exact, source) => {
    expect(containsText(source, exact)).toBe(true);
  });
});

describe('the product source', () => {
  it.each([
    ['apps/web/src/shared/i18n/en/chats.json', true],
    ['packages/contract/src/wire/errors.ts', true],
    ['apps/web/index.html', true],
    ['apps/web/src/shared/i18n/es/chats.json', false],
    ['apps/web/src/features/chats/ChatPanel.test.tsx', false],
    ['apps/api/src/test/factories.ts', false],
    ['tools/spec/ledger/8-errors-features.json', false],
  ])('holds %s: %s', (path, expected) => {
    expect(isProductFile(path)).toBe(expected);
  });
});

it('a text is the spec’s letter by letter, but for the values that are put in', () => {
  const lines = [line('8.chat.load', 'Failed to load chats.'), line('5.chat-id.invalid', 'Invalid chat ID: {value}')];
  expect(findUnquotedTexts([...lines, line('8.chat.send')], "'Failed to load chats', 'Invalid chat ID: ...'")).toEqual([
    lines[0],
  ]);
});
