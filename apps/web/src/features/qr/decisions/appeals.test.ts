import type { Appeal } from '@sendlap/contract/referees.ts';
import { expect, test } from 'vitest';
import { openAppeals } from './appeals.ts';

const appeal: Appeal = {
  client_id: '33333333-3333-4333-8333-333333333333',
  athlete: 'Ada',
  sport_type: 'climbing',
  sport_center_name: 'Rocódromo',
  started_at: '2026-11-21T10:00:00.000Z',
  ended_at: '2026-11-21T11:00:00.000Z',
  reason: null,
  appealed_at: '2026-11-21T12:00:00.000Z',
  open_until: '2026-11-22T00:00:00.000Z',
};
const closes = Date.parse(appeal.open_until);

test('an appeal that can no longer be answered is not shown, though an old copy holds it', () => {
  expect(openAppeals([appeal], closes + 1, new Set())).toEqual([]);
  expect(openAppeals([appeal], closes, new Set())).toEqual([appeal]);
});

test('an appeal that was scanned on this phone is not shown again while the scan waits to be sent', () => {
  expect(openAppeals([appeal], closes, new Set([appeal.client_id]))).toEqual([]);
});
