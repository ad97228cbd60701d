import type { Page } from '@playwright/test';

/** Finds a sheet. A toast is a dialog too, but a non-modal one. */
export const sheet = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])');
