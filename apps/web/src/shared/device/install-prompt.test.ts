import { afterEach, expect, test, vi } from 'vitest';
import { isIosSafari } from './install-prompt.ts';

afterEach(() => void vi.unstubAllGlobals());

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Safari on an iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 5, true],
  ['Safari on an iPad, which calls itself a Mac', `${MAC} Version/18.5 Safari/605.1.15`, 5, true],
  ['Safari on a Mac', `${MAC} Version/18.5 Safari/605.1.15`, 0, false],
  ['Chrome', `${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 5, false],
  ['Firefox', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 5, false],
  ['Edge', `${IPHONE} Version/18.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 5, false],
  ['the Google app', `${IPHONE} GSA/380.0.0 Mobile/15E148 Safari/604.1`, 5, false],
  ['DuckDuckGo', `${IPHONE} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`, 5, false],
  ['the browser of another app', `${IPHONE} Mobile/15E148 Instagram 380.0.0`, 5, false],
])('%s: the steps name the bar of Safari only there', (_browser, userAgent, maxTouchPoints, is_safari) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  expect(isIosSafari()).toBe(is_safari);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  expect(isIosSafari()).toBe(false);
});
