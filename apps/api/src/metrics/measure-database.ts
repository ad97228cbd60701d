import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { type Database, databaseErrorCode, readPoolUsage } from '../database/database.ts';
import { type PoolName, pool_waits, statements } from '../platform/measurements.ts';
import { operationOf } from './statement-operation.ts';

/** Seconds: the boundaries that OpenTelemetry advises for the durations of database operations. */
const DURATION_BUCKETS_S = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const POOL_LABEL = 'db_client_connection_pool_name';
const POOL_NAMES: PoolName[] = ['requests', 'jobs'];

/** Measures statements by their first word, and the waits for connections. Returns the function that ends it. */
export function measureDatabase(database: Database, registry: Registry): () => void {
  const registers = [registry];
  const duration = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Duration of statements, from their sending to their result',
    labelNames: ['db_system_name', 'db_operation_name', 'error_type'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const wait = new Histogram({
    name: 'db_client_connection_wait_time_seconds',
    help: 'How long callers waited for a connection of the pool',
    labelNames: [POOL_LABEL],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const timeouts = new Counter({
    name: 'db_client_connection_timeouts_total',
    help: 'Callers that got no connection of the pool',
    labelNames: [POOL_LABEL],
    registers,
  });
  // An alert sees a counter rise from 0 only if it has seen the 0.
  for (const name of POOL_NAMES) timeouts.inc({ [POOL_LABEL]: name }, 0);
  measurePool(database, registry);
  const endings = [
    statements.listen(({ text, duration_ms, error }) => {
      const error_label = error === undefined ? {} : { error_type: databaseErrorCode(error) ?? '_OTHER' };
      const labels = { db_system_name: 'postgresql', db_operation_name: operationOf(text), ...error_label };
      duration.observe(labels, duration_ms / 1000);
    }),
    pool_waits.listen(({ pool, wait_ms, has_failed }) => {
      if (has_failed) timeouts.inc({ [POOL_LABEL]: pool });
      else wait.observe({ [POOL_LABEL]: pool }, wait_ms / 1000);
    }),
  ];
  return () => {
    for (const end of endings) end();
  };
}

/** The connections of the requests' pool, as they are at a scrape. */
function measurePool(database: Database, registry: Registry): void {
  const registers = [registry];
  const pool = { [POOL_LABEL]: 'requests' };
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Connections of the pool, by state',
    labelNames: [POOL_LABEL, 'db_client_connection_state'],
    registers,
    collect() {
      const { used, idle } = readPoolUsage(database);
      this.set({ ...pool, db_client_connection_state: 'used' }, used);
      this.set({ ...pool, db_client_connection_state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'db_client_connection_max',
    help: 'The most connections of the pool',
    labelNames: [POOL_LABEL],
    registers,
    collect() {
      this.set(pool, readPoolUsage(database).max);
    },
  });
  new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Callers that wait for a connection of the pool',
    labelNames: [POOL_LABEL],
    registers,
    collect() {
      this.set(pool, readPoolUsage(database).waiting);
    },
  });
}
