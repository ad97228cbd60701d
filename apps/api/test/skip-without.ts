import { describe, test } from 'vitest';

/** What this machine lacks, in words; undefined: nothing. */
type Missing = string | undefined;

const titleOf = (title: string, missing: Missing): string => (missing ? `${title}, skipped: ${missing}` : title);

/** A group of tests that needs what a machine may lack: a program, real data, a platform. */
export function describeUnlessMissing(missing: Missing, title: string, body: () => void): void {
  describe.skipIf(missing !== undefined)(titleOf(title, missing), body);
}

/** A test that needs what a machine may lack. */
export function testUnlessMissing(
  missing: Missing,
  title: string,
  body: () => Promise<void>,
  timeout_ms?: number,
): void {
  test.skipIf(missing !== undefined)(titleOf(title, missing), body, timeout_ms);
}
