import { channel } from 'node:diagnostics_channel';

/**
 * A kind of fact that any room reports and the metrics record. Without a listener, a report costs one read of
 * `is_observed`: test it before you build the fact.
 */
export interface Measurement<Fact extends object> {
  readonly is_observed: boolean;
  report(fact: Fact): void;
  /** Returns the function that ends the listening. */
  listen(listener: (fact: Fact) => void): () => void;
}

function createMeasurement<Fact extends object>(name: string): Measurement<Fact> {
  const source = channel(`sendlap.${name}`);
  return {
    get is_observed() {
      return source.hasSubscribers;
    },
    report: (fact) => source.publish(fact),
    listen(listener) {
      const onMessage = (fact: unknown) => listener(fact as Fact);
      source.subscribe(onMessage);
      return () => void source.unsubscribe(onMessage);
    },
  };
}

/** A statement that the database has answered. `error`: undefined if it succeeded. */
export const statements = createMeasurement<{ text: string; duration_ms: number; error: unknown }>('statement');

/** A connection pool: of the requests, or of the background jobs, which may run long. */
export type PoolName = 'requests' | 'jobs';

/** How long a caller waited for a connection of a pool. */
export const pool_waits = createMeasurement<{ pool: PoolName; wait_ms: number; has_failed: boolean }>('pool_wait');

/** A refused request, or an op that a request of ops brought. */
export const refusals = createMeasurement<{ of: 'request' | 'op'; code: string }>('refusal');

/** A request refused as too many were in work. */
export const shed_requests = createMeasurement<{ kind: 'ordinary' | 'essential' }>('shed_request');

/** An op of a request of ops that the server already had. `route`: its path in the contract. */
export const repeated_ops = createMeasurement<{ route: string }>('repeated_op');

/** An open stream of a user. `seq`: the last event that was sent to it. */
export interface MeasuredStream {
  readonly user_id: string;
  readonly seq: number;
  readonly is_backed_up: boolean;
}

export const opened_streams = createMeasurement<MeasuredStream>('opened_stream');
export const closed_streams = createMeasurement<MeasuredStream>('closed_stream');

/** The position up to which this node has read the log of board changes (`LogPosition`). */
export const board_log_reads = createMeasurement<{ watermark: string; snapshot: string }>('board_log_read');

/** One try to send a push, or a push that was never tried: `dropped`, as too many wait, or `outdated`. */
export type PushResult = 'sent' | 'gone' | 'refused' | 'later' | 'failed' | 'dropped' | 'outdated';
export const pushes = createMeasurement<{ result: PushResult }>('push');

/** A background job whose runs begin. */
export const started_jobs = createMeasurement<{ job: string }>('started_job');

/** A finished run of a background job. */
export const job_runs = createMeasurement<{ job: string; duration_ms: number; has_failed: boolean }>('job_run');

/** Messages about events that a commit of this node sent to its own streams and to the other nodes. */
export const announcements = createMeasurement<{ messages: number; duration_ms: number }>('announcement');
