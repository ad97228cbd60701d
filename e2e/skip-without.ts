import { test } from '@playwright/test';

/** Skips the journey if the machine lacks something it needs: `missing` names it; undefined: it has everything. */
export function skipWithout(missing: string | undefined): void {
  test.skip(missing !== undefined, missing);
}
