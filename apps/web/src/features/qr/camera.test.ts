import { expect, test } from 'vitest';
import { problemOf } from './camera.ts';

test.each([
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['SecurityError', 'insecure'],
  ['UnknownError', 'failed'],
])('%s is shown as %s', (name, problem) => {
  expect(problemOf(new DOMException('', name))).toBe(problem);
});

test('something that is no error is a failure too', () => {
  expect(problemOf('camera')).toBe('failed');
});
