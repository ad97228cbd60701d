import { expect, test } from 'vitest';
import { browserKindOf, toCameraProblem } from './camera.ts';

test.each([
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['SecurityError', 'insecure'],
  ['UnknownError', 'failed'],
])('%s is shown as %s', (name, problem) => {
  expect(toCameraProblem(new DOMException('', name))).toBe(problem);
});

test('something that is no error is a failure too', () => {
  expect(toCameraProblem('camera')).toBe('failed');
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1',
    5,
    'safari-phone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1',
    5,
    'safari-phone',
  ],
  [`${MAC} Version/18.5 Safari/605.1.15`, 5, 'safari-phone'],
  [`${MAC} Version/18.5 Safari/605.1.15`, 0, 'safari-desktop'],
  [`${MAC} Chrome/140.0.0.0 Safari/537.36`, 0, 'other'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 5, 'chrome-phone'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 5, 'firefox'],
])(
  'the way to allow the camera is explained for the browser at hand: %s with %i touch points',
  (agent, touch_points, kind) => {
    expect(browserKindOf(agent, { installed: false, touch_points })).toBe(kind);
    expect(browserKindOf(agent, { installed: true, touch_points })).toBe('installed');
  },
);
