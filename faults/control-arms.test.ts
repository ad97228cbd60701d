import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS_SWITCHED_OFF } from '../apps/api/test/attacks/switched-off.ts';
import { FAIR_PROOF_PATCHES, STRICT_PATCHES } from '../apps/api/test/fair-proof/fair-proof-patches.ts';
import { CHECKS_OFF as FUZZ_CHECKS_OFF } from '../apps/api/test/fuzz/checks-off.ts';
import { CHECKS_OFF as SSRF_CHECKS_OFF } from '../apps/api/test/inner-addresses/checks-off.ts';
import { RULE_PATCHES } from '../apps/api/test/lives/rule-patches.ts';
import { CHECKS_OFF as MATRIX_CHECKS_OFF } from '../apps/api/test/matrix/checks-off.ts';
import { RANK_PATCHES } from '../apps/api/test/rank-lives/rank-patches.ts';
import { CHECKS_OFF as SLOW_CHECKS_OFF } from '../apps/api/test/slow/checks-off.ts';
import { SLOW_KINDS, UNREAD_STREAMS } from '../apps/api/test/slow/slow-kinds.ts';
import { applyPatches, type SourcePatch } from '../apps/api/test/source-patches.ts';
import { ROOT } from '../tools/project/project.ts';
import { BELIEVED_PORTAL } from './offline/believed-portal.ts';
import { UNCORRECTED_TIMES } from './offline/uncorrected-times.ts';
import { AREAS } from './planted/areas.ts';
import { readCaught } from './planted/outcome.ts';
import { whyUntested } from './planted/run-tests.ts';
import { whyNotPlantable } from './planted/scratch.ts';

const SOURCES = ['apps/api/src', 'packages'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => join(ROOT, folder, path)),
);

/** Throws unless exactly one file has the text. Returns whether the edit changes the code. */
function changesCode(patch: SourcePatch): boolean {
  const [path, ...more] = SOURCES.filter((source) => source.endsWith(`/${patch.file}`));
  if (path === undefined || more.length > 0) throw new Error(`${patch.file} is ${more.length + 1} or no file`);
  const source = readFileSync(path, 'utf8');
  return applyPatches(source, [patch]) !== source;
}

const ARMS: Record<string, SourcePatch[]> = {
  ...RULE_PATCHES,
  ...RANK_PATCHES,
  'qr, without the checks': CHECKS_SWITCHED_OFF,
  'matrix, without the checks': Object.values(MATRIX_CHECKS_OFF),
  'fuzz, without the checks': Object.values(FUZZ_CHECKS_OFF),
  'slow, without the limits': Object.values(SLOW_CHECKS_OFF),
  'ssrf, without the checks': Object.values(SSRF_CHECKS_OFF),
  ...Object.fromEntries(
    Object.entries(FAIR_PROOF_PATCHES).map(([name, { patches }]) => [`fair-proof, ${name}`, patches]),
  ),
  ...Object.fromEntries(Object.entries(STRICT_PATCHES).map(([name, patches]) => [`fair-proof, ${name}`, patches])),
};

test.each(Object.entries(ARMS))('The control arm "%s" still finds its places in the code', (_name, patches) => {
  expect(patches.length).toBeGreaterThan(0);
  for (const patch of patches) expect(changesCode(patch), `${patch.file}: ${patch.find}`).toBe(true);
});

test('Each limit of slow callers has a kind of its own, which shows that it is missing', () => {
  const names = [...SLOW_KINDS, UNREAD_STREAMS].map(({ name }) => name);
  const shown = Object.values(SLOW_CHECKS_OFF).map(({ kind }) => kind);
  expect(shown.filter((kind) => !names.includes(kind))).toEqual([]);
  expect(shown.filter((kind, nth) => shown.indexOf(kind) !== nth)).toEqual([]);
});

test('Every planted fault still finds its place in the code, and tests that may catch it', () => {
  const faults = AREAS.flatMap((area) => area.faults);
  const misfits = faults.flatMap((fault) => {
    const reason = whyNotPlantable(ROOT, fault) ?? whyUntested(ROOT, fault);
    return reason === null ? [] : [`${fault.name}: ${reason}`];
  });
  expect(misfits).toEqual([]);
  expect(faults.length).toBeGreaterThanOrEqual(60);
});

test('No fault that an earlier suite caught is left out', () => {
  const planted = AREAS.flatMap((area) => area.faults).map(({ name }) => name);
  expect(readCaught().filter((name) => !planted.includes(name))).toEqual([]);
});

test.each([
  { file: 'e2e/gone.spec.ts', title: 'two athletes swim at a real pool' },
  { file: 'e2e/main-job.spec.ts', title: 'a title that no journey has' },
])('A planted fault is refused whose journey is gone: $file, $title', (journey) => {
  const [fault] = AREAS.flatMap((area) => area.faults);
  if (!fault) throw new Error('no fault is planted');
  expect(whyUntested(ROOT, { ...fault, journey })).toContain('its journey is gone');
});

test('A change that has no place in the code is refused', () => {
  const patch = { file: 'a.ts', find: 'if (a && b)', replace: '' };
  expect(applyPatches('x; if (a &&\n  b) y;', [patch])).toBe('x;  y;');
  expect(() => applyPatches('if (a || b) y;', [patch])).toThrow('a.ts does not say: if (a && b)');
});

test.each([
  ['portal that is believed', BELIEVED_PORTAL],
  ['clock that is believed', UNCORRECTED_TIMES],
])('The %s still finds its place in the app', (_name, patch) => {
  const source = readFileSync(join(ROOT, patch.file), 'utf8');
  expect(applyPatches(source, [patch])).not.toBe(source);
});
