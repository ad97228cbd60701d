import type { Page } from '@playwright/test';

/** A toast is a dialog too, but one that lets everything else be used. */
export const sheet = (page: Page) => page.locator('[role=dialog]:not([aria-modal=false])');
