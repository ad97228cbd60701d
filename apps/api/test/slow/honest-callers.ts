import { get, type IncomingMessage } from 'node:http';
import { afterDelay } from '../delays.ts';

export interface HonestReport {
  sent: number;
  /** One line for each call with another answer than 200, or without one. */
  unanswered: string[];
  times_ms: number[];
}

interface HonestTarget {
  port: number;
  /** Called in turn. */
  paths: readonly string[];
  /** One for each call in turn. */
  tokens: readonly string[];
}

const PATIENCE_MS = 60_000;

/** Calls the server, each time over a new connection, until told to stop. */
export async function callHonestly(target: HonestTarget, pause_ms: number, until: AbortSignal): Promise<HonestReport> {
  const { paths, tokens } = target;
  const report: HonestReport = { sent: 0, unanswered: [], times_ms: [] };
  while (!until.aborted) {
    const path = paths[report.sent % paths.length] ?? '/';
    const token = tokens[report.sent % tokens.length];
    const began = performance.now();
    report.sent += 1;
    const answer = await call(target.port, path, token);
    const time_ms = performance.now() - began;
    if (answer !== '200') report.unanswered.push(`${path}: ${answer} after ${time_ms.toFixed(0)} ms`);
    report.times_ms.push(time_ms);
    await afterDelay(pause_ms);
  }
  return report;
}

/** Returns the status, or the code of the error. */
function call(port: number, path: string, token: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = get({ port, host: '127.0.0.1', path, headers, agent: false, signal });
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name);
    request.on('error', fail);
    request.on('response', (reply: IncomingMessage) => {
      reply.on('error', fail).on('end', () => resolve(String(reply.statusCode)));
      reply.resume();
    });
  });
}

/** Returns the value below which this share of the times lies. */
export function quantile(times_ms: readonly number[], share: number): number {
  const sorted = [...times_ms].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
