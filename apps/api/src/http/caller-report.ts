import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Secrets } from '../database/secrets.ts';
import { AppError } from '../platform/errors.ts';
import { VERSION } from '../platform/version.ts';
import type { TrustProxyMonitor } from './forwarded-header.ts';

export const CALLER_REPORT_PATH = '/healthz/caller';
const TOKEN_LIFETIME_MS = 5 * 60_000;

/** What a node sees of a request of `sendlap doctor`. */
export const CallerReport = z.object({
  version: z.string(),
  node: z.string(),
  now_ms: z.number(),
  /** The address that limits count. */
  address: z.string(),
  /** The address of the connection: the caller's or the last proxy's. */
  peer: z.string(),
  peer_port: z.number(),
  /** The addresses of X-Forwarded-For; null without that header. */
  forwarded_for: z.nullable(z.array(z.string())),
  /** How many of them, from the last one on, TRUST_PROXY lets the server believe. */
  believed: z.number(),
  /** The host that the browser's address bar would have shown. */
  host: z.string(),
  trust_proxy: z.nullable(z.string()),
  /** The first request since the start of each kind that did not fit TRUST_PROXY. */
  misfits: z.array(z.object({ problem: z.string(), peer: z.string(), at: z.string() })),
});
export type CallerReport = z.infer<typeof CallerReport>;

interface CallerReportOptions {
  secrets: Secrets;
  node: string;
  trust_proxy: string | undefined;
  monitor: TrustProxyMonitor;
}

/** Answers `sendlap doctor`, which proves that it has the server's secret; for anyone else the path does not exist. */
export function mountCallerReport(app: FastifyInstance, options: CallerReportOptions): void {
  const { secrets, node, trust_proxy, monitor } = options;
  app.get(CALLER_REPORT_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (!isValidToken(secrets, request.headers.authorization)) {
      throw new AppError('not_found', 'There is nothing at this address');
    }
    const report: CallerReport = {
      version: VERSION,
      node,
      now_ms: Date.now(),
      address: request.ip,
      peer: request.socket.remoteAddress ?? '',
      peer_port: request.socket.remotePort ?? 0,
      forwarded_for: readForwardedFor(request),
      // The first of Fastify's is the peer.
      believed: (request.ips?.length ?? 1) - 1,
      host: readHost(request),
      trust_proxy: trust_proxy ?? null,
      misfits: [...monitor].map(([problem, request]) => ({ problem, ...request })),
    };
    return reply.header('cache-control', 'no-store').send(report);
  });
}

function readForwardedFor({ headers }: FastifyRequest): string[] | null {
  const value = headers['x-forwarded-for']?.toString();
  return value === undefined ? null : value.split(',').map((address) => address.trim());
}

function readHost({ headers }: FastifyRequest): string {
  return headers['x-forwarded-host']?.toString().split(',')[0]?.trim() ?? headers.host ?? '';
}

/** Returns the value of the `authorization` header of a request for the report, valid for five minutes. */
export function createReportToken(secrets: Secrets, now_ms = Date.now()): string {
  return `Bearer ${now_ms}.${sign(secrets, String(now_ms)).toString('base64url')}`;
}

function isValidToken(secrets: Secrets, header = ''): boolean {
  const [, issued = '', signature = ''] = /^Bearer (\d{1,15})\.([\w-]{43})$/.exec(header) ?? [];
  const is_fresh = Math.abs(Date.now() - Number(issued)) < TOKEN_LIFETIME_MS;
  const expected = sign(secrets, issued);
  const received = Buffer.from(signature, 'base64url');
  return is_fresh && received.length === expected.length && timingSafeEqual(received, expected);
}

function sign(secrets: Secrets, issued: string): Buffer {
  return createHmac('sha256', secrets.derive('report for the doctor')).update(issued).digest();
}
