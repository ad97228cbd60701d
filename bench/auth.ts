import { startMeasured } from './load/measured-server.ts';

const ROUNDS = 5;
const ROUND_S = 3;
const GOAL = 0.6;

/**
 * GET /v1/auth/me beside a bare Fastify JSON route, in turn within one run. The ratio is of CPU time per request, which
 * other processes on the machine disturb least; 1.00 would be as cheap as the bare route.
 */
export async function run(): Promise<void> {
  const hello = await startMeasured(new URL('../apps/api/test/measured/hello.ts', import.meta.url));
  const me = await startMeasured(new URL('../apps/api/test/measured/app.ts', import.meta.url));
  const ratios: number[] = [];
  try {
    await hello.load(1);
    await me.load(1);
    console.log('round   hello µs/request   me µs/request   ratio   hello/s   me/s   me p99 ms');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [peer, own] = [await hello.load(ROUND_S), await me.load(ROUND_S)];
      const ratio = peer.cpu_us_per_request / own.cpu_us_per_request;
      ratios.push(ratio);
      const cells = [
        String(round).padEnd(5),
        peer.cpu_us_per_request.toFixed(1).padStart(18),
        own.cpu_us_per_request.toFixed(1).padStart(15),
        ratio.toFixed(2).padStart(7),
        peer.requests_per_s.toFixed(0).padStart(9),
        own.requests_per_s.toFixed(0).padStart(6),
        own.p99_ms.toFixed(0).padStart(11),
      ];
      console.log(cells.join(' '));
    }
  } finally {
    hello.stop();
    me.stop();
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  console.log(`GET /v1/auth/me: ${median.toFixed(2)} of a bare Fastify JSON route in CPU per request (goal ≥ ${GOAL})`);
}
