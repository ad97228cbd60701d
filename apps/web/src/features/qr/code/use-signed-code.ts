import { ACTIVITY_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isServerRefusal } from '#web/shared/api/errors.ts';
import { ensureDeviceKey, loadDeviceKey, renewDeviceKey } from '#web/shared/data/device-key.ts';
import { useOnline } from '#web/shared/device/online.ts';
import {
  type Athlete,
  activityCodeOf,
  createSignedCode,
  type FinishedActivity,
  type SignedCode,
} from './activity-code.ts';

/**
 * The activity's code of one time step, signed on this device: the previous code or null until it is signed, or the
 * failure. Needs the network only for the very first key.
 */
export function useSignedCode(activity: FinishedActivity, athlete: Athlete, time_step: number) {
  const online = useOnline();
  const cache = useQueryClient();
  const queryKey = ['device-key', athlete.id, online];
  const key = useQuery({
    queryKey,
    queryFn: () => ensureDeviceKey(athlete.id),
    // The key has its own database; a cached id could outlive a sign-out.
    gcTime: 0,
    networkMode: 'always',
    retry: false,
  });
  // Another device may have revoked this device's key: codes signed with it would be refused, with no hint on this
  // device.
  const renewed = useQuery({
    queryKey: ['device-key', athlete.id, 'renewed'],
    queryFn: async () => cache.setQueryData(queryKey, await renewDeviceKey(athlete.id)),
    enabled: online && key.isSuccess,
    gcTime: 0,
    networkMode: 'always',
    retry: false,
  });
  const [retries, setRetries] = useState(0);
  const [result, setResult] = useState<Result>({ signed: null, error: null, retries });
  const key_id = key.data;

  useEffect(() => {
    if (key_id === undefined) return;
    let current = true;
    signActivity(activity, athlete, time_step).then(
      (signed) => current && setResult({ signed, error: null, retries }),
      (error: unknown) => current && setResult({ signed: null, error, retries }),
    );
    return () => {
      current = false;
    };
  }, [activity, athlete, key_id, retries, time_step]);

  const error = result.retries === retries ? result.error : null;
  // The server accepts a code during the time step after its own, too.
  const signed = result.signed && time_step - result.signed.time_step <= 1 ? result.signed : null;
  // Any other failure says nothing about the key.
  const refusal = isServerRefusal(renewed.error) ? renewed.error : null;
  const retry = () => {
    setRetries((count) => count + 1);
    void key.refetch();
    if (refusal) void renewed.refetch();
  };
  return { signed, failure: error ?? refusal ?? (signed ? null : key.error), retry };
}

interface Result {
  signed: SignedCode | null;
  error: unknown;
  /** How often the user had tapped Retry. */
  retries: number;
}

/** Signs the activity's code of this time step. Throws if this device has no key, or could not read it. */
async function signActivity(activity: FinishedActivity, athlete: Athlete, time_step: number): Promise<SignedCode> {
  const key = await loadDeviceKey(athlete.id);
  if (!key) throw new Error('no device key');
  const code = activityCodeOf(activity, athlete, key.key_id, time_step * ACTIVITY_TIME_STEP_MS);
  return createSignedCode(code, location.origin, key.sign);
}
