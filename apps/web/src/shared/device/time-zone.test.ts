import { expect, test, vi } from 'vitest';
import { deviceTimeZone } from './time-zone.ts';

test('the zone of the device is read once a minute, however often it is rendered, and again when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T10:00:00Z') });
  const resolved = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  const answer = (timeZone: string) => resolved.mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);
  answer('Europe/Madrid');
  expect([deviceTimeZone(), deviceTimeZone()]).toEqual(['Europe/Madrid', 'Europe/Madrid']);
  expect(resolved).toHaveBeenCalledTimes(1);
  answer('Atlantic/Canary');
  vi.setSystemTime('2026-11-24T10:00:59.999Z');
  expect(deviceTimeZone()).toBe('Europe/Madrid');
  vi.setSystemTime('2026-11-24T10:01:00Z');
  expect(deviceTimeZone()).toBe('Atlantic/Canary');
  answer('Europe/Lisbon');
  vi.setSystemTime('2026-11-24T09:00:00Z');
  expect(deviceTimeZone()).toBe('Europe/Lisbon');
});
