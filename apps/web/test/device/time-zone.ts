import { onTestFinished, vi } from 'vitest';

/** Sets the time zone of the device's clock, for the rest of the test. */
export function setTimeZone(name: string): void {
  vi.stubEnv('TZ', name);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
