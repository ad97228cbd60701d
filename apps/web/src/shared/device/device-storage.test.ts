import { afterEach, expect, test, vi } from 'vitest';
import { deviceStorage } from './device-storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function stubStorage(setItem: (key: string, value: string) => void) {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      setItem(key, value);
      values.set(key, value);
    },
    removeItem: (key: string) => values.delete(key),
  });
  return values;
}

test('a text is in the storage of the browser until it is removed', () => {
  const values = stubStorage(() => {});
  expect(deviceStorage.getItem('theme')).toBe(null);
  deviceStorage.setItem('theme', 'dark');
  expect([deviceStorage.getItem('theme'), values.get('theme')]).toEqual(['dark', 'dark']);
  deviceStorage.removeItem('theme');
  expect([deviceStorage.getItem('theme'), values.size]).toEqual([null, 0]);
});

test('where storage is forbidden, a text lasts until the page is closed', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  deviceStorage.setItem('theme', 'dark');
  expect(deviceStorage.getItem('theme')).toBe('dark');
  deviceStorage.removeItem('theme');
  expect(deviceStorage.getItem('theme')).toBe(null);
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a text without room hides the stored one', () => {
  let has_room = true;
  stubStorage(() => {
    if (!has_room) throw new DOMException('full', 'QuotaExceededError');
  });
  deviceStorage.setItem('theme', 'dark');
  has_room = false;
  deviceStorage.setItem('theme', 'light');
  expect(deviceStorage.getItem('theme')).toBe('light');
  has_room = true;
  deviceStorage.setItem('theme', 'auto');
  expect(deviceStorage.getItem('theme')).toBe('auto');
  deviceStorage.removeItem('theme');
});
