import { expect, test } from 'vitest';
import { shouldNotifyNow } from './should-notify-now.ts';

const NIGHT = { from: '22:00', until: '07:00', time_zone: 'Europe/Madrid' };
const CHOICES = { messages: true, friends: true, proofs: false, show_text: false, quiet_hours: NIGHT };
const AT_NINE = Date.parse('2026-01-15T20:00:00Z');
const AT_ELEVEN = Date.parse('2026-01-15T22:00:00Z');

test('no news of a kind that is switched off is shown, and none in quiet hours', () => {
  expect(shouldNotifyNow(CHOICES, 'proofs', AT_NINE)).toBe(false);
  expect(shouldNotifyNow(CHOICES, 'messages', AT_ELEVEN)).toBe(false);
  expect(shouldNotifyNow({ ...CHOICES, quiet_hours: { ...NIGHT, time_zone: 'Mars/Olympus' } }, 'proofs', AT_NINE)).toBe(
    false,
  );
});

test('all other news are shown, also by a browser that does not know the time zone', () => {
  expect(shouldNotifyNow(CHOICES, 'messages', AT_NINE)).toBe(true);
  expect(shouldNotifyNow({ ...CHOICES, quiet_hours: null }, 'friends', AT_ELEVEN)).toBe(true);
  expect(
    shouldNotifyNow({ ...CHOICES, quiet_hours: { ...NIGHT, time_zone: 'Mars/Olympus' } }, 'friends', AT_ELEVEN),
  ).toBe(true);
});
