import { expect, test } from 'vitest';
import { describeDevice } from './device-name.ts';

test.each([
  ['', ''],
  ['something else', ''],
  ['NotChrome/1.0 (Androidish)', ''],
  ['curl/8.5.0 (Linux)', 'Linux'],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36', 'Chrome, Android'],
  ['Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 Chrome/122.0 Safari/537.36', 'Samsung Internet, Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari, iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 12_0 like Mac OS X) CriOS/130.0 Mobile/15E148 Safari/604.1', 'Chrome, iPad'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge, Windows'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 OPR/115.0', 'Opera, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox, Mac'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36', 'Chrome, ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36', 'Chrome, Linux'],
])('%s is called "%s"', (user_agent, name) => {
  expect(describeDevice(user_agent)).toBe(name);
});
