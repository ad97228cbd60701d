import type { UserLocation } from '@sendlap/contract/locations.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { createLocationReports, REPORT_EVERY_MS } from './location-reports.ts';

const ROC = '22222222-2222-4222-8222-222222222222';
const HOME = { latitude: 42.5, longitude: 1.5, accuracy_m: 12, measured_at: 1_000_000 };
const GYM = { latitude: 42.6, longitude: 1.6, accuracy_m: 8, measured_at: 1_030_000 };
const KNOWN: UserLocation = { latitude: 42.5, longitude: 1.5, accuracy: 12, timestamp: '', sport_center_id: null };

let now = 0;
let timers: { work: () => void; at: number }[] = [];

beforeEach(() => {
  now = 1_000_000;
  timers = [];
});

async function pass(duration_ms: number): Promise<void> {
  now += duration_ms;
  const due = timers.filter(({ at }) => at <= now);
  timers = timers.filter(({ at }) => at > now);
  for (const { work } of due) work();
  await runTurns(1);
}

function setUp({ last_reported_at = null }: { last_reported_at?: number | null } = {}) {
  const isSharingEnabled = vi.fn(async () => true);
  const save = vi.fn(async (_: object) => KNOWN);
  const update = vi.fn(async (_: object) => KNOWN);
  const storeCopy = vi.fn(async () => {});
  const reports = createLocationReports({
    isSharingEnabled,
    save,
    update,
    storeCopy,
    last_reported_at,
    now: () => now,
    toServerTime: (device_ms) => device_ms + 5000,
    setTimer(work, delay_ms) {
      const timer = { work, at: now + delay_ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  });
  return { reports, isWanted: isSharingEnabled, save, update, keep: storeCopy };
}

describe('reports of where I am', () => {
  test('are not sent after the end, not even one that was waiting', async () => {
    const { reports, save } = setUp();
    reports.report(HOME, null);
    reports.stop();
    reports.report(GYM, null);
    await pass(REPORT_EVERY_MS);
    expect(save).not.toHaveBeenCalled();
  });

  test('are not sent once another device has switched them off, nor while the setting is unknown', async () => {
    const { reports, isWanted, save } = setUp();
    isWanted.mockResolvedValueOnce(false).mockRejectedValueOnce(new Error('no network'));
    reports.report(HOME, null);
    await pass(0);
    reports.report(GYM, null);
    await pass(REPORT_EVERY_MS);
    expect(isWanted).toHaveBeenCalledTimes(2);
    expect(save).not.toHaveBeenCalled();
  });

  test('are not sent when the end came while that was asked', async () => {
    const { reports, isWanted, save } = setUp();
    isWanted.mockImplementationOnce(async () => {
      reports.stop();
      return true;
    });
    reports.report(HOME, null);
    await pass(0);
    expect(isWanted).toHaveBeenCalledOnce();
    expect(save).not.toHaveBeenCalled();
  });

  test('are not kept when the end came while one was on its way', async () => {
    const { reports, save, keep } = setUp();
    save.mockImplementationOnce(async () => {
      reports.stop();
      return KNOWN;
    });
    reports.report(HOME, null);
    await pass(0);
    expect(save).toHaveBeenCalledOnce();
    expect(keep).not.toHaveBeenCalled();
  });

  test('say the position exactly, with the time by the server’s clock, and are kept', async () => {
    const { reports, save, keep } = setUp();
    reports.report(HOME, null);
    await pass(0);
    const timestamp = new Date(1_005_000).toISOString();
    expect(save).toHaveBeenCalledExactlyOnceWith({ latitude: 42.5, longitude: 1.5, accuracy: 12, timestamp });
    expect(keep).toHaveBeenCalledExactlyOnceWith(KNOWN);
  });

  test('go out once a minute at most, the newest position only', async () => {
    const { reports, save } = setUp();
    reports.report(HOME, null);
    await pass(0);
    reports.report({ ...GYM, measured_at: 1_010_000 }, null);
    reports.report(GYM, ROC);
    await pass(REPORT_EVERY_MS - 1);
    expect(save).toHaveBeenCalledOnce();
    await pass(1);
    expect(save).toHaveBeenCalledTimes(2);
    expect(save.mock.lastCall?.[0]).toMatchObject({ latitude: 42.6, sport_center_id: ROC });
  });

  test('wait for the minute that an earlier page began', async () => {
    const { reports, save } = setUp({ last_reported_at: now - 20_000 });
    reports.report(HOME, null);
    await pass(REPORT_EVERY_MS - 20_001);
    expect(save).not.toHaveBeenCalled();
    await pass(1);
    expect(save).toHaveBeenCalledOnce();
  });

  test('say only the center when nothing else has changed', async () => {
    const { reports, save, update } = setUp();
    reports.report(HOME, null);
    await pass(0);
    reports.report(HOME, ROC);
    await pass(REPORT_EVERY_MS);
    expect(save).toHaveBeenCalledOnce();
    expect(update).toHaveBeenCalledExactlyOnceWith({ sport_center_id: ROC });
  });

  test('say nothing twice', async () => {
    const { reports, save, update } = setUp();
    reports.report(HOME, ROC);
    await pass(0);
    reports.report(HOME, ROC);
    await pass(REPORT_EVERY_MS);
    expect(save).toHaveBeenCalledOnce();
    expect(update).not.toHaveBeenCalled();
  });

  test('send the whole location again after a failed report', async () => {
    const { reports, save, update } = setUp();
    save.mockRejectedValueOnce(new Error('no network'));
    reports.report(HOME, null);
    await pass(0);
    reports.report(HOME, ROC);
    await pass(REPORT_EVERY_MS);
    expect(save).toHaveBeenCalledTimes(2);
    expect(update).not.toHaveBeenCalled();
  });
});
