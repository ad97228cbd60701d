import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture, ROOT } from './project/project.ts';

type Plugin = { path: string; includes: string[] };
type Style = { noRestrictedImports?: object };
type Override = { includes: string[]; linter?: { rules?: { style?: Style } } };

/** The project's own bans and layers and where they hold, without its other rules, on a folder of planted files. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sendlap-bans-')));
const { plugins, overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as {
  plugins: Plugin[];
  overrides: Override[];
};
const layers = overrides.flatMap(({ includes, linter }) => {
  const noRestrictedImports = linter?.rules?.style?.noRestrictedImports;
  return noRestrictedImports ? [{ includes, linter: { rules: { style: { noRestrictedImports } } } }] : [];
});
const config = {
  root: true,
  linter: { rules: { preset: 'none' } },
  plugins: plugins.map(({ path, includes }) => ({ path: join(ROOT, path), includes })),
  overrides: layers,
};

const REFUSED: [file: string, code: string, reason: string][] = [
  ['e2e/a.spec.ts', 'await page.waitForTimeout(300);', 'waits for what happens'],
  ['e2e/b.ts', 'await context.pages()[0]?.waitForTimeout(300);', 'waits for what happens'],
  ['e2e/c.spec.ts', "await page.waitForLoadState('networkidle');", 'is never idle'],
  ['e2e/d.spec.ts', 'await page.goto("/", { waitUntil: `networkidle` });', 'is never idle'],
  ['apps/web/src/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 30));', 'waits for what happens'],
  ['apps/web/test/a.ts', 'window.setTimeout(done, 30);', 'waits for what happens'],
  ['apps/api/test/a.ts', 'const pause = promisify(setTimeout);', 'waits for what happens'],
  ['packages/domain/src/a.test.ts', "import { setTimeout as pause } from 'node:timers/promises';", 'waits for what'],
  ['apps/api/src/b.test.ts', "it.skip('adds', () => {});", 'No test is switched off'],
  ['apps/web/src/b.test.tsx', "describe.only('sums', () => {});", 'No test is switched off'],
  ['apps/api/src/c.test.ts', "it.todo('adds');", 'No test is switched off'],
  ['apps/api/src/d.test.ts', "describe.skipIf(!path)('sums', () => {});", 'No test is switched off'],
  ['apps/api/src/e.test.ts', "test.runIf(path)('adds', () => {});", 'No test is switched off'],
  ['e2e/e.spec.ts', 'test.skip(!folder);', 'No test is switched off'],
  ['e2e/f.spec.ts', "test.fixme('adds', () => {});", 'No test is switched off'],
  ['e2e/g.spec.ts', "test.fail('adds', () => {});", 'must fail is no test'],
  ['e2e/h.spec.ts', "test('adds', { annotation: { type: 'quarantine' } }, () => {});", 'Only quarantine()'],
  ['apps/api/src/f.test.ts', 'expect(Date.now() - started_at).toBeLessThan(100);', 'asserts no duration'],
  ['apps/api/src/g.test.ts', 'expect(Math.abs(made_at - Date.now() - DAY_MS)).toBe(0);', 'asserts no duration'],
  ['apps/api/test/b.ts', 'beforeEach(async () => {\n  await open();\n});', 'only the first file of a process'],
  ['e2e/j.spec.ts', "await page['waitForTimeout'](300);", 'waits for what happens'],
  ['e2e/k.ts', "import { setTimeout as wait } from 'node:timers';", 'waits for what happens'],
  ['e2e/l.ts', "const { setTimeout: wait } = await import('node:timers/promises');", 'waits for what happens'],
  ['apps/api/src/h.test.ts', "test('adds', { skip: true }, () => {});", 'No test is switched off'],
  ['apps/api/src/i.test.ts', "describe('sums', { todo: true }, () => {});", 'No test is switched off'],
  ['apps/api/src/j.test.ts', "test('adds', { retry: 3 }, () => {});", 'runs once'],
  ['e2e/m.spec.ts', 'test.describe.configure({ retries: 5 });', 'runs once'],
  ['apps/api/src/k.test.ts', 'expect(Date.now()).toBeLessThan(started_at + 100);', 'asserts no duration'],
  [
    'apps/api/src/l.test.ts',
    'const ended = Date.now();\nexpect(ended - started).toBeLessThan(9);',
    'asserts no duration',
  ],
  ['e2e/n.spec.ts', 'expect.soft(Date.now() - started_at).toBeLessThan(100);', 'asserts no duration'],
  ['e2e/i.spec.ts', 'const took = performance.now() - a;\nexpect(took).toBeLessThan(9);', 'asserts no duration'],
];

/** As REFUSED: imports from a layer above, or from a neighbour. */
const UPWARDS: typeof REFUSED = [
  ['packages/domain/src/a.ts', "import { z } from 'zod/mini';", 'domain is pure'],
  ['packages/contract/src/a.ts', "import { AppError } from '#api/platform/errors.ts';", 'domain and zod only'],
  ['apps/api/src/database/a.ts', "import { publish } from '#api/events/events.ts';", 'Rooms import only those before'],
  ['apps/api/src/modules/chats/a.ts', "import { find } from '#api/modules/friends/store.ts';", 'only its service'],
  ['apps/web/src/shared/a.ts', "import { start } from '#web/features/activities/start.ts';", 'shared knows no feature'],
  [
    'apps/web/src/features/chats/a.ts',
    "import { start } from '#web/features/activities/start.ts';",
    'features meet in',
  ],
  ['apps/web/src/sw/a.ts', "import { useState } from 'react';", 'The service worker imports'],
];

/** As REFUSED. */
const OWN_TEXTS: typeof REFUSED = [
  ['apps/web/src/A.tsx', 'export const A = () => <p>Not saved yet</p>;', 'no text of its own'],
  ['apps/web/src/B.tsx', 'export const B = () => <p>{count} puntos</p>;', 'no text of its own'],
  ['apps/web/src/C.tsx', 'export const C = () => <Button aria-label="Close" />;', 'no text of its own'],
  ['apps/web/src/D.tsx', "export const D = () => <img alt='A wall' />;", 'no text of its own'],
];

const FINE: [file: string, code: string][] = [
  [
    'e2e/fine-a.spec.ts',
    "// page.waitForTimeout(300), it.skip\nconst text = 'setTimeout(done, 30) networkidle it.only(';",
  ],
  ['e2e/fine-b.spec.ts', 'test.setTimeout(60_000);\nawait expect(page.getByRole("main")).toBeVisible();'],
  ['apps/web/src/fine-a.test.ts', "vi.useFakeTimers({ toFake: ['setTimeout'] });\nexpect.fail('not read');"],
  ['apps/api/src/fine-b.test.ts', 'expect(made_at).toBeLessThanOrEqual(Date.now());\nserver.fails = null;'],
  ['apps/api/src/fine-c.test.ts', 'expect(await appeal(climb, Date.now() - 11 * HOUR_MS)).toBe(200);'],
  ['apps/api/test/fine-e.ts', 'export function useApp(): void {\n  afterAll(() => api.close());\n}'],
  ['apps/web/test/fine-d.ts', 'const timers = new Set<ReturnType<typeof setTimeout>>();'],
  ['apps/web/src/FineA.tsx', 'export const A = () => <p title={t("x")}>{t("saved")} · 3</p>;'],
  ['apps/web/src/FineB.tsx', 'export const B = () => <b className="font-bold">Sendlap</b>;'],
  ['apps/web/src/fine-c.test.tsx', 'render(<p>here</p>);'],
  ['apps/api/src/server.ts', 'setTimeout(stop, 30);'],
  ['apps/api/src/modules/chats/fine.ts', "import { list } from '#api/modules/friends/service.ts';"],
  ['apps/web/src/features/chats/fine.ts', "import { call } from '#web/shared/api/call.ts';"],
  ['bench/fine.ts', 'setTimeout(stop, 30);'],
];

const found = new Map<string, string[]>();

beforeAll(async () => {
  const files: [string, string][] = [
    ...[...REFUSED, ...UPWARDS, ...OWN_TEXTS].map(([file, code]): [string, string] => [file, code]),
    ...FINE,
  ];
  for (const [file, code] of [['biome.json', JSON.stringify(config)] as const, ...files]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${code}\n`);
  }
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const { output } = await capture(
    process.execPath,
    [biome, 'lint', '--max-diagnostics=none', '--reporter=github'],
    folder,
  );
  for (const [, path = '', message = ''] of output.matchAll(/file=([^,]+),.*?::(.*)$/gm)) {
    const file = relative(folder, path);
    found.set(file, [...(found.get(file) ?? []), message]);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([...REFUSED, ...UPWARDS])('in %s the check refuses %s', (file, _code, reason) => {
  expect(found.get(file)).toEqual([expect.stringContaining(reason)]);
});

test.each(OWN_TEXTS)('in %s the check refuses a text of its own [spec 1.language.complete]', (file, _code, reason) => {
  expect(found.get(file)).toEqual([expect.stringContaining(reason)]);
});

test.each(FINE)('in %s the check takes %s', (file) => {
  expect(found.get(file)).toBeUndefined();
});
