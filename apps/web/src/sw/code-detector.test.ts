import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canReadCodes } from './code-detector.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('ImageData', class {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A browser's detector of these formats, which treats a picture in this way. */
function detector(formats: readonly string[], detect: () => Promise<unknown[]> = async () => []) {
  return {
    BarcodeDetector: class {
      static getSupportedFormats = async () => formats;
      detect = detect;
    },
  };
}

test('a browser with a working detector needs no code reader', async () => {
  expect(await canReadCodes(detector(['ean_13', 'qr_code']))).toBe(true);
});

test.each([
  ['without a detector', {}],
  ['whose detector knows no QR codes', detector(['ean_13'])],
  ['whose detector has no service behind it', detector(['qr_code'], () => Promise.reject(new Error('no service')))],
])('a browser %s needs the code reader', async (_, browser) => {
  expect(await canReadCodes(browser)).toBe(false);
});

test('a browser whose detector does not answer needs the code reader', async () => {
  const trial = canReadCodes(detector(['qr_code'], () => new Promise(() => {})));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await trial).toBe(false);
});
