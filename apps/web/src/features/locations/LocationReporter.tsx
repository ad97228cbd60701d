import { saveUserLocation, updateUserLocation } from '@sendlap/contract/locations.ts';
import { getSettings } from '@sendlap/contract/users.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { call, serverClock, session } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { readDevicePosition, readPermission } from '#web/shared/data/device-position.ts';
import { getLastPosition, onPosition } from '#web/shared/data/last-position.ts';
import { saveUserLocation as keepUserLocation } from '#web/shared/local-db/user-location.ts';
import { createLocationReports } from './location-reports.ts';

/** How often a position is read while the app is visible. */
const READ_EVERY_MS = 10 * 60_000;
/** When this device last reported, ms epoch: the copy of the position may be of one that was never reported. */
const REPORTED_KEY = 'location_reported_at';

interface LocationReporterProps {
  user_id: string;
  /** Of the running activity; null without one. */
  sport_center_id: string | null;
}

/**
 * Mounted (renders nothing) as long as friends may know where the athlete trains; reports it to the server. It never
 * asks for the permission: another screen did that with an explanation, otherwise there is nothing to report.
 */
export function LocationReporter({ user_id, sport_center_id }: LocationReporterProps) {
  const reports = useRef<ReturnType<typeof createReports> | null>(null);
  const reportLastPosition = useEffectEvent((center_id = sport_center_id) => {
    const position = getLastPosition();
    if (position) reports.current?.report(position, center_id);
  });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void loadMetadata(REPORTED_KEY, user_id).then((reported_at) => {
      if (signal.aborted) return;
      const current = createReports(user_id, typeof reported_at === 'number' ? reported_at : null);
      reports.current = current;
      reportLastPosition();
      for (const stop of [onPosition(() => reportLastPosition()), current.stop]) signal.addEventListener('abort', stop);
      pollPosition(signal);
    });
    return () => controller.abort();
  }, [user_id]);
  useEffect(() => reportLastPosition(sport_center_id), [sport_center_id]);
  return null;
}

function createReports(user_id: string, last_reported_at: number | null) {
  const options = { expected_user_id: user_id };
  return createLocationReports({
    last_reported_at,
    isSharingEnabled: async () => (await call(getSettings, {}, options)).presence,
    save: (body) => call(saveUserLocation, { body }, options),
    update: (body) => call(updateUserLocation, { body }, options),
    async storeCopy(location) {
      await saveMetadata(REPORTED_KEY, Date.now(), user_id);
      await keepUserLocation(user_id, location, () => session.getState().user?.id === user_id);
    },
    now: () => Date.now(),
    toServerTime: (device_ms) => device_ms + serverClock.correctedNow() - Date.now(),
    setTimer(work, delay_ms) {
      const timer = setTimeout(work, delay_ms);
      return () => clearTimeout(timer);
    },
  });
}

/**
 * Reads the position when the app becomes visible, and then every READ_EVERY_MS. Results after `signal` are dropped.
 */
function pollPosition(signal: AbortSignal): void {
  let read_at = Number.NEGATIVE_INFINITY;
  const readIfDue = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - read_at < READ_EVERY_MS) return;
    if ((await readPermission()) !== 'granted' || signal.aborted) return;
    read_at = Date.now();
    // Listeners of `readDevicePosition` get the position; if the device does not know it, there is nothing to report.
    await readDevicePosition(undefined, signal).catch(() => {});
  };
  const poll = () => void readIfDue();
  poll();
  const timer = setInterval(poll, READ_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  document.addEventListener('visibilitychange', poll, { signal });
}
