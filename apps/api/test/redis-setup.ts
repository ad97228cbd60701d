import type { TestProject } from 'vitest/node';
import { findOrInstallRedis } from './redis-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    redis_server: { path?: string; missing?: string };
  }
}

/** Looks for a Redis once a run. Where there is none, its tests are skipped, and this says why. */
export async function setup(project: TestProject): Promise<void> {
  const found = await findOrInstallRedis();
  if ('missing' in found) console.warn(`Tests with Redis are skipped: ${found.missing}`);
  project.provide('redis_server', found);
}
