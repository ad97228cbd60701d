import { describe, test } from 'vitest';

/** The reason to skip, as text; undefined if nothing is missing. */
type Missing = string | undefined;

const titleOf = (title: string, missing: Missing): string => (missing ? `${title}, skipped: ${missing}` : title);

/** Defines a group of tests that needs something a machine may lack: a program, real data, a platform. */
export function describeUnlessMissing(missing: Missing, title: string, body: () => void): void {
  describe.skipIf(missing !== undefined)(titleOf(title, missing), body);
}

/** Defines a test that needs something a machine may lack. */
export function testUnlessMissing(
  missing: Missing,
  title: string,
  body: () => Promise<void>,
  timeout_ms?: number,
): void {
  test.skipIf(missing !== undefined)(titleOf(title, missing), body, timeout_ms);
}
