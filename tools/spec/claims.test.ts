import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findUnknownIds, isTestFile, scanRepository, scanText } from './claims.ts';

/** Builds a tag here, so that the scanner does not find it in this file. */
const tag = (ids: string) => `[${'spec'} ${ids}]`;
const idsOf = (text: string) => scanText('a.test.ts', text).claims.map((claim) => claim.id);

describe('the scanner', () => {
  it('calls a tag that does not end its title a problem', () => {
    const { problems } = scanText('a.test.ts', `\nit('exchanges ${tag('7.auth.callback')} the code', run);`);
    expect(problems).toEqual(['a.test.ts:2: a spec tag must end its title']);
  });

  it.each(['it.skip', 'it.todo', 'test.fixme', 'it.fails', 'describe.skip', 'it.concurrent.skip'])(
    'takes nothing from %s',
    (call) => {
      expect(idsOf(`it('runs', run);\n${call}(\n  'refreshes ${tag('7.auth.refresh')}',\n  run);`)).toEqual([]);
    },
  );

  it.each(['// ', '/* ', ' * '])('takes nothing from a comment that begins with "%s"', (comment) => {
    expect(idsOf(`${comment}it('refreshes ${tag('7.auth.refresh')}', run);`)).toEqual([]);
  });

  it('names the file and the line of an id that the ledger does not have', () => {
    const { claims } = scanText('a.test.ts', `\n\nit('x ${tag('7.auth.nothing')}', run);\nit('y ${tag('')}', run);`);
    expect(findUnknownIds(claims, new Set(['7.auth.me']))).toEqual([
      'a.test.ts:3: the ledger has no line "7.auth.nothing"',
      'a.test.ts:4: the ledger has no line ""',
    ]);
  });

  it('finds one id, several ids, and ids of table rows, whatever the quotes', () => {
    const text = [
      `it('exchanges the code ${tag('7.auth.callback')}', run);`,
      `it.skip('not this one', run);`,
      `test("redirects ${tag('2.root.anonymous, 2.root.signed-in')}", run);`,
      `it.each([[\`refuses a chat id ${tag('5.chat-id.uuid')}\`, 1]])('%s', run);`,
    ].join('\n');
    expect(scanText('a.test.ts', text)).toEqual({
      claims: [
        { id: '7.auth.callback', file: 'a.test.ts', line: 1 },
        { id: '2.root.anonymous', file: 'a.test.ts', line: 3 },
        { id: '2.root.signed-in', file: 'a.test.ts', line: 3 },
        { id: '5.chat-id.uuid', file: 'a.test.ts', line: 4 },
      ],
      problems: [],
    });
  });

  it.each([
    ['apps/api/src/modules/auth/auth.test.ts', true],
    ['apps/web/src/features/auth/LoginScreen.test.tsx', true],
    ['e2e/main-job.spec.ts', true],
    ['apps/web/src/main-job.spec.ts', false],
    ['tools/spec/main.ts', false],
  ])('reads %s: %s', (path, expected) => {
    expect(isTestFile(path)).toBe(expected);
  });
});

describe('the scan of a repository', () => {
  const root = mkdtempSync(join(tmpdir(), 'spec scan '));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('reads tests and journeys, but neither node_modules nor dist nor hidden folders', () => {
    for (const [folder, name] of [
      ['packages/domain/src', 'geo.test.ts'],
      ['e2e', 'main-job.spec.ts'],
      ['node_modules/x', 'x.test.ts'],
      ['apps/web/dist', 'y.test.ts'],
      ['.data/z', 'z.test.ts'],
    ] as const) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, name), `it('measures ${tag('9.geo.earth-radius')}', run);`);
    }
    expect(scanRepository(root).claims.map((claim) => claim.file)).toEqual([
      'e2e/main-job.spec.ts',
      'packages/domain/src/geo.test.ts',
    ]);
  });
});
