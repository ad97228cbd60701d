import { Agent, type IncomingMessage, request } from 'node:http';

export interface CallReply {
  status: number;
  /** Returns the cookie of this name; undefined if the reply does not set it. */
  cookie(name: string): string | undefined;
}

/** Calls one server over persistent connections, each call from an address of its own. */
export function createCaller(url: string) {
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    post(path: string, headers: Record<string, string>, body?: object): Promise<CallReply> {
      count += 1;
      const own = {
        origin: url,
        'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      };
      return new Promise((resolve, reject) => {
        const call = request(url + path, { method: 'POST', agent, headers: { ...own, ...headers } }, (reply) => {
          reply.resume();
          reply.once('end', () => resolve(readReply(reply)));
        });
        call.once('error', reject);
        call.end(body && JSON.stringify(body));
      });
    },
    close: () => agent.destroy(),
  };
}

function readReply(reply: IncomingMessage): CallReply {
  const cookies = (reply.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]?.split('=') ?? []);
  return {
    status: reply.statusCode ?? 0,
    cookie: (name) => cookies.find(([key]) => key === name)?.[1],
  };
}

export interface Figure {
  calls: number;
  calls_per_s: number;
  /** 99 % took no longer. */
  p99_ms: number;
}

/** Runs all workers repeatedly for some seconds. */
export async function repeat(workers: (() => Promise<void>)[], duration_s: number): Promise<Figure> {
  const started_at = performance.now();
  const times: number[] = [];
  await Promise.all(
    workers.map(async (work) => {
      while (performance.now() - started_at < duration_s * 1000) {
        const began_at = performance.now();
        await work();
        times.push(performance.now() - began_at);
      }
    }),
  );
  const calls_per_s = times.length / ((performance.now() - started_at) / 1000);
  const p99_ms = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  return { calls: times.length, calls_per_s, p99_ms };
}
