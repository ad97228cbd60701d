import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE, DATABASE_SERVER_VARIABLE } from './server/journey-environment.ts';

const DATABASE = fileURLToPath(new URL('server/journey-database.ts', import.meta.url));

/** Starts one PostgreSQL for the whole run, with a template database that is copied for every test file. */
async function globalSetup(): Promise<() => Promise<void>> {
  const child = fork(DATABASE, { env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env }, execArgv: [] });
  const ended = once(child, 'exit');
  const started = once(child, 'message') as Promise<[{ url: string }]>;
  const [first] = await Promise.race([started, ended]);
  if (typeof first !== 'object' || first === null)
    throw new Error(`the PostgreSQL of the journeys ended with ${first}`);
  process.env[DATABASE_SERVER_VARIABLE] = first.url;
  return async () => {
    child.disconnect();
    await ended;
  };
}

export default globalSetup;
