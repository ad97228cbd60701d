import { test } from '@playwright/test';

/** Skips the journey where the machine lacks what it needs: `missing` names it, undefined: nothing. */
export function skipWithout(missing: string | undefined): void {
  test.skip(missing !== undefined, missing);
}
