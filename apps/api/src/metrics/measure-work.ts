import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { job_runs, type PushResult, pushes, started_jobs } from '../platform/measurements.ts';

const JOB_BUCKETS_S = [0.01, 0.1, 1, 10, 60, 600];

/** The results that an alert compares. */
const PUSH_RESULTS: PushResult[] = ['sent', 'refused', 'later', 'failed'];

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
  // An alert sees a counter rise from 0 only if it has seen the 0.
  for (const result of PUSH_RESULTS) sent.inc({ result }, 0);
  const endings = [
    started_jobs.listen(({ job }) => runs.zero({ job_name: job, result: 'failed' })),
    pushes.listen(({ result }) => sent.inc({ result })),
    job_runs.listen(({ job, duration_ms, has_failed }) =>
      runs.observe({ job_name: job, result: has_failed ? 'failed' : 'done' }, duration_ms / 1000),
    ),
  ];
  return () => {
    for (const end of endings) end();
  };
}
