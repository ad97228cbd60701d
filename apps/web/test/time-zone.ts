import { onTestFinished, vi } from 'vitest';

/** Where the device's clock says that it is, for the rest of the test. */
export function setTimeZone(name: string): void {
  vi.stubEnv('TZ', name);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
