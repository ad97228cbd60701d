import { afterEach, expect, test, vi } from 'vitest';
import { saveSignInNotice, takeSignInNotice } from './sign-in-notice.ts';

afterEach(() => void vi.unstubAllGlobals());

function keep(text: string | null) {
  let kept = text;
  vi.stubGlobal('sessionStorage', {
    getItem: () => kept,
    setItem: (_key: string, text: string) => {
      kept = text;
    },
    removeItem: () => {
      kept = null;
    },
  });
}

test.each([null, '', 'Call 555-0100'])('%j is no notice of ours', (text) => {
  keep(text);
  expect(takeSignInNotice()).toBeNull();
});

test('a notice is shown once', () => {
  keep(null);
  saveSignInNotice('account_deleted');
  expect(takeSignInNotice()).toBe('account_deleted');
  expect(takeSignInNotice()).toBeNull();
});

test('without session storage there is no notice', () => {
  vi.stubGlobal('sessionStorage', undefined);
  saveSignInNotice('account_deleted');
  expect(takeSignInNotice()).toBeNull();
});
