import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { job_runs, pushes } from '../platform/measurements.ts';

const JOB_BUCKETS_S = [0.01, 0.1, 1, 10, 60, 600];

/** Measures pushes by their result, and the runs of the background jobs. Returns the function that ends it. */
export function measureWork(registry: Registry): () => void {
  const registers = [registry];
  const sent = new Counter({
    name: 'sendlap_pushes_total',
    help: 'Tries to send a push, and pushes that were never tried, by result',
    labelNames: ['result'],
    registers,
  });
  const runs = new Histogram({
    name: 'sendlap_job_duration_seconds',
    help: 'Duration of the runs of background jobs',
    labelNames: ['job_name', 'result'],
    buckets: JOB_BUCKETS_S,
    registers,
  });
  const endings = [
    pushes.listen(({ result }) => sent.inc({ result })),
    job_runs.listen(({ job, duration_ms, has_failed }) =>
      runs.observe({ job_name: job, result: has_failed ? 'failed' : 'done' }, duration_ms / 1000),
    ),
  ];
  return () => {
    for (const end of endings) end();
  };
}
