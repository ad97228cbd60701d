import { expect, test } from 'vitest';
import { formatWait } from './format-wait.ts';

const at = (hour: number, minute = 0) => new Date(2026, 10, 22, hour, minute).getTime();
const HOUR_S = 3_600;

test.each([0, 1, 60])('%i s are a moment, which needs no text', (wait_s) => {
  expect(formatWait(wait_s, at(9), 'en')).toBeNull();
});

test.each([
  [61, at(9), 'in 2 minutes', 'dentro de 2 minutos'],
  [600, at(23, 55), 'in 10 minutes', 'dentro de 10 minutos'],
  [HOUR_S, at(9), 'in 60 minutes', 'dentro de 60 minutos'],
  [HOUR_S + 1, at(9), 'in 2 hours', 'dentro de 2 horas'],
  [5 * HOUR_S, at(22), 'in 5 hours', 'dentro de 5 horas'],
  [14 * HOUR_S, at(9), 'in 14 hours', 'dentro de 14 horas'],
  [15 * HOUR_S, at(9), 'tomorrow', 'mañana'],
  [24 * HOUR_S, at(0), 'tomorrow', 'mañana'],
  [20 * 24 * HOUR_S, at(9), 'in 20 days', 'dentro de 20 días'],
])('%i s have a text in both languages (%#)', (wait_s, now, english, spanish) => {
  expect(formatWait(wait_s, now, 'en-GB')).toBe(english);
  expect(formatWait(wait_s, now, 'es-ES')).toBe(spanish);
});
