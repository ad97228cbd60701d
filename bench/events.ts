import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventsOrder, Heard, Told } from '../apps/api/test/measured/events.ts';
import { openScratch } from '../apps/api/test/measured/scratch.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { cpuTime } from './load/measured-server.ts';
import { endServers, forkServer, type LoadedServer, order } from './load/path-load.ts';
import { quantile } from './load/print.ts';

const EVENTS_PER_S = 5_000;
const DURATION_S = sized(20, 4);
const USERS = 300;
/** Until all nodes know each other, and the last events have arrived. */
const SETTLING_MS = 3_000;

/**
 * 5,000 events a second, sent by three nodes, each to the stream of its user on another of them, over NOTIFY of the one
 * PostgreSQL; next to the same on one node, where sending is a function call.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const scratch = openScratch();
  try {
    const url = await scratch.startDatabase();
    await measure(sheet, url, 1);
    await measure(sheet, url, 3);
    return sheet.figures;
  } finally {
    await scratch.remove();
  }
}

async function measure(sheet: FigureSheet, database_url: string, count: number): Promise<void> {
  const script = new URL('../apps/api/test/measured/events.ts', import.meta.url);
  const start = () => forkServer(script, { MEASURED_DATABASE_URL: database_url });
  const nodes = await Promise.all(Array.from({ length: count }, start));
  try {
    const users = nodes.map(() => Array.from({ length: USERS / count }, () => randomUUID()));
    await each(nodes, (nth) => ({ what: 'listen', user_ids: users[nth] ?? [] }));
    await pause(SETTLING_MS);
    const tellFor = async (duration_s: number) => {
      // To users of the next node, or of the only one.
      const told = await each<Told>(nodes, (nth) => ({
        what: 'tell',
        user_ids: users[(nth + 1) % count] ?? [],
        per_s: EVENTS_PER_S / count,
        duration_s,
      }));
      await pause(SETTLING_MS);
      const heard = await each<Heard>(nodes, () => ({ what: 'heard' }));
      return { told: told.reduce((sum, one) => sum + one.told, 0), delays_ms: heard.flatMap((one) => one.delays_ms) };
    };
    // The first round warms up.
    await tellFor(1);
    const before = await cpuOf(nodes);
    const { told, delays_ms } = await tellFor(DURATION_S);
    const cpu_us = ((await cpuOf(nodes)) - before) / told;
    report(sheet, count, { told, delays_ms, cpu_us });
  } finally {
    await endServers(nodes);
  }
}

interface Measured {
  told: number;
  delays_ms: number[];
  /** CPU time of all nodes per event. */
  cpu_us: number;
}

function report(sheet: FigureSheet, count: number, { told, delays_ms, cpu_us }: Measured): void {
  const name = count === 1 ? 'one node' : `${count} nodes`;
  if (delays_ms.length !== told) throw new Error(`${name}: of ${told} events ${delays_ms.length} were heard`);
  const p50 = quantile(delays_ms, 0.5).toFixed(2);
  const detail = `${told} events told and heard, ${cpu_us.toFixed(0)} µs of the nodes each; p50 ${p50} ms`;
  console.log(`     ${name}: ${detail}`);
  const p99 = quantile(delays_ms, 0.99);
  if (count === 1) sheet.add(`${EVENTS_PER_S} events a second on one node, p99`, `${p99.toFixed(2)} ms`);
  else sheet.goal(`${EVENTS_PER_S} events a second across ${count} nodes, p99`, p99, { at_most: 50 }, ' ms');
}

async function each<Answer>(nodes: LoadedServer[], orderOf: (nth: number) => EventsOrder): Promise<Answer[]> {
  return Promise.all(nodes.map((node, nth) => order<Answer>(node, orderOf(nth))));
}

async function cpuOf(nodes: LoadedServer[]): Promise<number> {
  const times = await Promise.all(nodes.map(({ child }) => cpuTime(child)));
  return times.reduce((sum, time) => sum + time, 0);
}
