import { defineConfig } from '@playwright/test';
import { launchOptions, NO_MAP } from './fixtures.ts';

/** Journeys in which the map is drawn. The others are made without WebGL. */
const WITH_MAP = /\/(centers-.*|location|screens)\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
    // Its copy of the whole app takes the processor's time. WITH_WORKER lets it in.
    serviceWorkers: 'block',
    actionTimeout: 15_000,
    // The steps alone: pictures and copies of every page took a quarter of the time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: launchOptions(),
  },
  projects: [
    { name: 'map', testMatch: WITH_MAP },
    { name: 'no map', testIgnore: WITH_MAP, use: { launchOptions: launchOptions(NO_MAP) } },
  ],
});
