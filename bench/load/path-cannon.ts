import autocannon from 'autocannon';

/** The requests to send: every connection has its own paths and goes through them in turn. */
export interface CannonOrder {
  url: string;
  duration_s: number;
  paths: string[][];
  /** Headers of each connection; none by default. */
  headers?: Record<string, string>[];
}

export interface CannonFigure {
  calls: number;
  failed: number;
  calls_per_s: number;
  p50_ms: number;
  p99_ms: number;
  bytes: number;
}

/** Runs in a process of its own, so that the load does not share an event loop with the server or the bench. */
process.once('message', async ({ url, duration_s, paths, headers = [] }: CannonOrder) => {
  let connection = 0;
  const result = await autocannon({
    url,
    connections: paths.length,
    duration: duration_s,
    setupClient(client) {
      const own = paths[connection % paths.length] ?? [];
      const sent = headers[connection % paths.length] ?? {};
      connection += 1;
      client.setRequests(own.map((path) => ({ method: 'GET', path, headers: sent })));
    },
  });
  const figure: CannonFigure = {
    calls: result.requests.total,
    failed: result.non2xx + result.errors,
    calls_per_s: result.requests.total / duration_s,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    bytes: result.throughput.total,
  };
  process.send?.(figure);
  process.disconnect?.();
});
