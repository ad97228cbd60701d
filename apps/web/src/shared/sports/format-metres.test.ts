import { expect, test } from 'vitest';
import { formatMetres } from './format-metres.ts';

test('metres are grouped as the language does', () => {
  expect(formatMetres(2000, 'en')).toBe('2,000 m');
  expect(formatMetres(12_000, 'es').replaceAll('\u00a0', ' ')).toBe('12.000 m');
});
