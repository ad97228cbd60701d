import { afterEach, expect, test, vi } from 'vitest';
import { dateFormat, numberFormat } from './formats.ts';

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a list of numbers creates one format for each language and options', () => {
  const create = vi.spyOn(Intl, 'NumberFormat');
  for (const value of [1, 2, 3]) {
    numberFormat('en-AU', { style: 'percent' }).format(value);
    numberFormat('en-AU').format(value);
    numberFormat('es-MX').format(value);
  }
  expect(create).toHaveBeenCalledTimes(3);
});

test('a format of dates is created again when the device changes its time zone, which it takes over', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T10:00:00Z') });
  const before = dateFormat('en-GB', CLOCK);
  expect(dateFormat('en-GB', CLOCK)).toBe(before);
  const zone = { timeZone: 'Pacific/Auckland' } as Intl.ResolvedDateTimeFormatOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(zone);
  vi.setSystemTime('2026-11-24T10:01:00Z');
  expect(dateFormat('en-GB', CLOCK)).not.toBe(before);
});
