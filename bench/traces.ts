import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { statements } from '../apps/api/src/platform/measurements.ts';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { type MeasuredServer, startMeasured } from './load/measured-server.ts';
import { median } from './load/print.ts';

const SCRIPT = new URL('../apps/api/test/measured/app.ts', import.meta.url);
const ROUNDS = sized(15, 1);
const ROUND_S = 2;
/** Per request of the measured call: its statement, and its wait for a connection. */
const QUESTIONS = 2;
const ASKED = sized(100_000_000, 1_000_000);
const OFF_GOAL = 2;

/**
 * GET /v1/users/settings with traces off, and on, beside the same code without the places that measure, alternating
 * within one run, by the server's CPU time per request. The places that measure cost far less than such runs differ by,
 * so that their share is also computed: what it costs to ask whether anyone listens, times how often a request asks.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const collector = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const servers: MeasuredServer[] = [];
  try {
    const { port } = collector.address() as AddressInfo;
    const arms: Record<string, string>[] = [
      { BENCH_WITHOUT_MEASUREMENTS: '1' },
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    ];
    for (const env of arms) servers.push(await startMeasured(SCRIPT, { BENCH_PATH: '/v1/users/settings', ...env }));
    for (const server of servers) await server.load(ROUND_S);
    const off: number[] = [];
    const bare: number[] = [];
    const on: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const costs: number[] = [];
      // Each one is the first as often as the others: the load of the machine changes within a round, too.
      for (let turn = 0; turn < servers.length; turn += 1) {
        const index = (round + turn) % servers.length;
        costs[index] = (await servers[index]?.load(ROUND_S))?.cpu_us_per_request ?? Number.NaN;
      }
      const [absent = 0, without = 0, traced = 0] = costs;
      bare.push(absent);
      off.push(without / absent);
      on.push(traced / absent);
      console.log(`round ${round}: ${costs.map((cost) => cost.toFixed(1)).join(', ')} µs/request`);
    }
    const question_ns = timeQuestion();
    const share = (QUESTIONS * question_ns) / 10 / median(bare);
    console.log(`     (${question_ns.toFixed(2)} ns to ask, ${median(bare).toFixed(0)} µs for the request without it)`);
    sheet.goal('share of a request that traces take while they are off, CPU', share, { at_most: OFF_GOAL }, ' %');
    sheet.add('a request with traces off beside one without measurements, CPU', `${median(off).toFixed(2)} ×`);
    sheet.add('a request with traces on beside one without measurements, CPU', `${median(on).toFixed(2)} ×`);
    return sheet.figures;
  } finally {
    for (const server of servers) server.stop();
    collector.close();
  }
}

/** Returns the CPU time of asking whether anyone listens to statements, in nanoseconds. */
function timeQuestion(): number {
  const before = process.cpuUsage();
  let listeners = 0;
  for (let asked = 0; asked < ASKED; asked += 1) if (statements.is_observed) listeners += 1;
  const { user, system } = process.cpuUsage(before);
  if (listeners > 0) throw new Error('someone listens: that is another price');
  return ((user + system) * 1000) / ASKED;
}
