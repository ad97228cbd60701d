import { ACTIVITY_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isServerRefusal } from '#web/shared/api/errors.ts';
import { ensureDeviceKey, renewDeviceKey, signCode } from '#web/shared/data/device-key.ts';
import { useOnline } from '#web/shared/device/online.ts';
import {
  type Athlete,
  activityCodeOf,
  createSignedCode,
  type FinishedActivity,
  type SignedCode,
} from './activity-code.ts';

/**
 * The activity's code of one time step, signed on this device: null until it is signed, or the failure. Needs the
 * network only for the very first key.
 */
export function useSignedCode(activity: FinishedActivity, athlete: Athlete, time_step: number) {
  const online = useOnline();
  const key = useQuery({
    queryKey: ['device-key', athlete.id, online],
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
    queryFn: () => renewDeviceKey(athlete.id),
    enabled: online && key.isSuccess,
    gcTime: 0,
    networkMode: 'always',
    retry: false,
  });
  const [signed, setSigned] = useState<SignedCode | null>(null);
  const [error, setError] = useState<unknown>(null);
  const key_id = renewed.data ?? key.data;

  useEffect(() => {
    if (key_id === undefined) return;
    let current = true;
    const code = activityCodeOf(activity, athlete, key_id, time_step * ACTIVITY_TIME_STEP_MS);
    createSignedCode(code, location.origin, (body) => signCode(athlete.id, body)).then(
      (next) => {
        if (!current) return;
        setSigned(next);
        setError(null);
      },
      (reason: unknown) => {
        if (current) setError(reason);
      },
    );
    return () => {
      current = false;
    };
  }, [activity, athlete, key_id, time_step]);

  // Any other failure says nothing about the key.
  const refusal = isServerRefusal(renewed.error) ? renewed.error : null;
  const retry = () => {
    setError(null);
    void key.refetch();
    if (refusal) void renewed.refetch();
  };
  return { signed, failure: error ?? refusal ?? (signed ? null : key.error), retry };
}
