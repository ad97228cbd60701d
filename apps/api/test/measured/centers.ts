import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSportCenterService } from '#api/modules/sport-centers/service.ts';
import { buildTestApp } from '../app/app.ts';
import { answer } from './serve.ts';

/** The whole app on the database MEASURED_DATABASE_URL, for a bench that forks it. */
export type CenterOrder = 'memory' | 'load' | { watch_s: number; change: boolean };

export interface Memory {
  rss_bytes: number;
  /** The peak; 0 where the system does not report it. */
  peak_bytes: number;
}

/** The time to read all centers, as a refresh does, on an otherwise idle process. */
export interface LoadTime {
  load_s: number;
}

export interface Watched {
  longest_pause_ms: number;
  /**
   * From the change to the first reply that shows it, including the wait for the next version poll; 0 without a change.
   */
  seen_after_s: number;
}

const FIND_MS = 50;
const MAX_WAIT_MS = 300_000;

const scene = await buildTestApp({ database_url: process.env.MEASURED_DATABASE_URL ?? '', listen: true });
process.on('disconnect', () => void scene.close().then(() => process.exit(0)));

function readMemory(): Memory {
  const [, peak_kb = '0'] = /VmHWM:\s+(\d+)/.exec(readStatus()) ?? [];
  return { rss_bytes: process.memoryUsage.rss(), peak_bytes: Number(peak_kb) * 1024 };
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}

async function timeLoad(): Promise<LoadTime> {
  const started_at = performance.now();
  const service = await createSportCenterService({ database: scene.database });
  const load_s = (performance.now() - started_at) / 1000;
  service.close();
  return { load_s };
}

/** Watches the event loop under requests, for as long as asked and until the change is seen. */
async function watch({ watch_s, change }: { watch_s: number; change: boolean }): Promise<Watched> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const [seen_after_s] = await Promise.all([change ? changeAndWait() : 0, pause(watch_s * 1000)]);
  delays.disable();
  return { longest_pause_ms: delays.max / 1e6, seen_after_s };
}

async function changeAndWait(): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    insert into sport_centers (id, name, latitude, longitude, time_zone, source, source_ref, licence, attribution,
      content_hash, search_name, search_text, search_city)
    values (gen_random_uuid(), 'Newcomer', 1, 1, 'Etc/GMT', 'synthetic', gen_random_uuid()::text, 'CC0-1.0', '',
      'synthetic', 'newcomer', 'newcomer', '')
    returning id
  `.execute(scene.database);
  const changed_at = performance.now();
  while (performance.now() - changed_at < MAX_WAIT_MS) {
    const reply = await fetch(`${scene.url}/v1/sport-centers/${rows[0]?.id}`);
    await reply.arrayBuffer();
    if (reply.ok) return (performance.now() - changed_at) / 1000;
    await pause(FIND_MS);
  }
  throw new Error('the change was not seen');
}

const { port } = new URL(scene.url);
answer<object, CenterOrder>({ port: Number(port), path: '/', headers: {} }, async (order): Promise<object> => {
  if (order === 'memory') return readMemory();
  return order === 'load' ? await timeLoad() : await watch(order);
});
