import { defineConfig } from '@playwright/test';
import { launchOptions, NO_MAP, shellOptions } from './browser/fixtures.ts';
import { IS_THOROUGH } from './browser/sights.ts';
import { PATIENCE_MS } from './people/patience.ts';

/** Journeys in which the map is drawn. The others run without WebGL; a thorough look draws it on every screen of centers. */
const WITH_MAP = IS_THOROUGH
  ? /\/(centers-(?!upgrade).*|location)\.spec\.ts$/
  : /\/(centers-(?!upgrade|screens).*|location)\.spec\.ts$/;
/**
 * Journeys with notifications, which the headless shell always denies, whatever a context permits: they need a full
 * Chromium.
 */
const WITH_NOTIFICATIONS = /\/notifications\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  globalSetup: './global-setup.ts',
  // More than two cores can run at a time: a journey alternates between waiting for its browsers and for its server.
  workers: 3,
  // Only a failing journey takes this long. The slowest machine seen took three times as long as the fastest for the
  // same run.
  timeout: 600_000,
  expect: { timeout: PATIENCE_MS },
  forbidOnly: true,
  // The worker of a failed journey is ended: the retry has a new browser and a new server. If it passes, it counts as
  // flaky.
  retries: 1,
  reporter: [['list'], ['../tools/testing/journey-reporter.ts']],
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    // The day must not depend on the machine's time zone.
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    // The worker's copy of the whole app costs CPU time. WITH_WORKER allows it.
    serviceWorkers: 'block',
    actionTimeout: PATIENCE_MS,
    // Only the steps: pictures and copies of every page took a quarter of the time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: shellOptions(),
  },
  projects: [
    // Two maps at a time would compete for the CPU, with each other and with other journeys.
    { name: 'map', testMatch: WITH_MAP, workers: 1 },
    { name: 'notifications', testMatch: WITH_NOTIFICATIONS, use: { launchOptions: launchOptions(NO_MAP) } },
    { name: 'no map', testIgnore: [WITH_MAP, WITH_NOTIFICATIONS], use: { launchOptions: shellOptions(NO_MAP) } },
  ],
});
