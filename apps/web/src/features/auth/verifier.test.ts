import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
const sessionStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};

/** Loads the module as a new page: memory is empty, the tab's storage stays. */
async function openPage() {
  vi.resetModules();
  return import('./verifier.ts');
}

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', sessionStorage);
});

test('an unknown state has no verifier', async () => {
  const { takeVerifier } = await openPage();
  expect(takeVerifier('s', 0)).toBeUndefined();
});

test('a verifier is gone after 10 minutes [spec 9.verifier.lifetime]', async () => {
  const { storeVerifier, takeVerifier } = await openPage();
  storeVerifier('s', 'v', 0);
  expect(takeVerifier('s', 600_000)).toBeUndefined();
});

test('a spoiled entry counts as none', async () => {
  stored.set('oauth-verifier:s', '{"code_verifier":1}');
  const { takeVerifier } = await openPage();
  expect(takeVerifier('s', 0)).toBeUndefined();
});

test('a verifier survives the way to the provider and back, once [spec 3.verifier.key, 9.verifier.lifetime]', async () => {
  (await openPage()).storeVerifier('s', 'v', 0);
  const { takeVerifier } = await openPage();
  expect(takeVerifier('s', 599_999)).toBe('v');
  expect(takeVerifier('s', 599_999)).toBeUndefined();
  expect(stored.size).toBe(0);
});

test('without session storage memory is enough for one page life', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  const { storeVerifier, takeVerifier } = await openPage();
  storeVerifier('s', 'v', 0);
  expect(takeVerifier('s', 1)).toBe('v');
});
