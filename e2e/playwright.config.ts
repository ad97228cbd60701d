import { defineConfig } from '@playwright/test';
import { launchOptions, NO_MAP, shellOptions } from './fixtures.ts';

/** Journeys in which the map is drawn. The others are made without WebGL. */
const WITH_MAP = /\/(centers-.*|console|location)\.spec\.ts$/;
/** Journeys with notifications, which the headless shell forbids whatever a context permits: a whole Chromium. */
const WITH_NOTIFICATIONS = /\/notifications\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  globalSetup: './global-setup.ts',
  // More than two cores can do at a time: a journey waits for its browsers and its server in turn.
  workers: 3,
  // Only a red journey waits so long. The slowest machine seen took three times as long as the quickest for the same run.
  timeout: 600_000,
  expect: { timeout: 45_000 },
  forbidOnly: true,
  // The worker of a failed journey is ended: the rerun has a new browser and a new server. It counts as flaky then.
  retries: 1,
  reporter: [['list'], ['../tools/journey-reporter.ts']],
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    // Which day it is does not depend on where the machine stands.
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    // Its copy of the whole app takes the processor's time. WITH_WORKER lets it in.
    serviceWorkers: 'block',
    actionTimeout: 45_000,
    // The steps alone: pictures and copies of every page took a quarter of the time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: shellOptions(),
  },
  projects: [
    // Two maps at a time would take the processor from each other, and from the one beside them.
    { name: 'map', testMatch: WITH_MAP, workers: 1 },
    { name: 'notifications', testMatch: WITH_NOTIFICATIONS, use: { launchOptions: launchOptions(NO_MAP) } },
    { name: 'no map', testIgnore: [WITH_MAP, WITH_NOTIFICATIONS], use: { launchOptions: shellOptions(NO_MAP) } },
  ],
});
