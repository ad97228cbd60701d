import { expect, test } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { drain } from './drain.ts';

for (const [n, latency] of [[5, 500], [40, 2000]] as const)
  test(`F: ${n} scans that the server answers with 500 after ${latency} ms: the drain ends within 5 minutes`, async () => {
    let now = 0;
    let calls = 0;
    const rows = Array.from({ length: n }, (_, i) => ({
      seq: i, op_id: `o${i}`, client_id: `c${i}`, user_id: 'u', kind: 'scan', payload: { op_id: `o${i}` }, created_at: 0, attempts: 0, last_error: null, hold_until: null,
    })) as any[];
    class Stop extends Error {}
    const run = drain(
      {
        store: {
          listOps: async () => rows.map((row) => ({ ...row })),
          recordFailure: async (ids: string[]) => { for (const row of rows) if (ids.includes(row.op_id)) row.attempts += 1; },
          applyResults: async () => {}, correctTimes: async () => {},
        } as any,
        send: async () => {
          calls += 1;
          now += latency;
          if (now > 300_000) throw new Stop(`still running after 5 min, ${calls} requests`);
          throw new ApiError({ code: 'HTTP_ERROR', status: 500 });
        },
        now: () => now, clockOffset: () => null, random: () => 0.5, onBegin: () => {}, onResults: () => {},
      },
      'u',
    );
    await expect(run.then((r) => { console.log(n, r, now, calls); return r; })).resolves.toMatchObject({ outcome: 'failed' });
  });
