import type { TestProject } from 'vitest/node';
import { startThrowAwayServer } from './throw-away-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    database_server_url: string;
  }
}

/** Starts one server for the whole run, with a migrated database to copy: see `createTestDatabase`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startThrowAwayServer();
  project.provide('database_server_url', url);
  return stop;
}
