import type { BrowserContext, Page } from '@playwright/test';

/**
 * What the browser itself writes about requests that fail, as they do without a network, and about a device without
 * WebGL.
 */
const EXPECTED_ERRORS = /^Failed to load resource|WebGL/;

/** Adds to `errors` each unexpected error that a page of this browser writes to the console or does not catch. */
export function recordUnexpectedErrors(context: BrowserContext, errors = new Set<string>()): Set<string> {
  const add = (text: string) => {
    if (!EXPECTED_ERRORS.test(text)) errors.add(text);
  };
  context.on('console', (line) => line.type() === 'error' && add(line.text()));
  context.on('weberror', (event) => add(event.error().message));
  return errors;
}

/** Records every error that the page writes to the console or does not catch from now on. */
export function recordErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  return errors;
}
