import type { AddressInfo } from 'node:net';
import { createEvents } from '#api/events/events.ts';
import { openScratchPostgres } from '../database/scratch-postgres.ts';
import { patchSources } from '../source-patches.ts';
import { CHECKS_OFF } from './checks-off.ts';
import { watchConnections } from './server-ends.ts';
import { HUGE_PATH } from './slow-kinds.ts';

/** Argument of this script. */
export interface NodeOrder {
  /** Control arm: this one of `CHECKS_OFF` is taken out of the code before it is loaded. */
  without?: string;
  users: number;
  /** Events of 4 KB that wait for the first user. */
  waiting: number;
}

export interface NodeReady {
  port: number;
  tls_port: number;
  huge_port: number;
  tokens: string[];
}

export type NodeRequest = 'memory' | 'connections';

export interface NodeMemory {
  /** After a collection of garbage. */
  used_bytes: number;
  rss_bytes: number;
  /** The most since the start. */
  peak_rss_bytes: number;
}

const EVENT_LENGTH = 4_000;
const EVENTS_A_TIME = 100;
/** More than the buffers of both systems may grow to. */
const HUGE_LENGTH = 40_000_000;

const { without, users, waiting } = JSON.parse(process.argv[2] ?? '{}') as NodeOrder;
if (without !== undefined) {
  const patch = CHECKS_OFF[without];
  if (!patch) throw new Error(`there is no check: ${without}`);
  patchSources([patch]);
}
const { buildTestApp } = await import('../app/app.ts');
const { createServer } = await import('#api/http/server.ts');
const { makeCertificate } = await import('../certificate.ts');
const { storeEvents } = await import('../app/stream-events.ts');

const postgres = await openScratchPostgres();
const api = await buildTestApp({ listen: true, database_url: postgres.url });
const bare = { logger: false, trust_proxy: undefined, public_url: 'https://localhost' } as const;
const secure = await createServer({ ...bare, tls: makeCertificate() });
const huge = await createServer(bare);
const bytes = Buffer.alloc(HUGE_LENGTH);
huge.get(HUGE_PATH, { schema: { hide: true } }, async () => bytes);
for (const server of [secure, huge]) await server.listen({ port: 0, host: '127.0.0.1' });
const takeChanges = watchConnections([api.app.server, secure.server, huge.server]);

const people = [];
for (let nth = 0; nth < users; nth += 1) people.push(await api.signIn(`Ada ${nth}`));
const [non_reader] = people;
const events = createEvents(api.database, postgres.url);
const payloads = Array.from({ length: EVENTS_A_TIME }, () => 'x'.repeat(EVENT_LENGTH));
for (let nth = 0; non_reader && nth < waiting; nth += EVENTS_A_TIME)
  await storeEvents(events, { user_id: non_reader.user.id }, payloads);

function measure(): NodeMemory {
  for (let nth = 0; nth < 3; nth += 1) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used_bytes: heapUsed + external, rss_bytes: rss, peak_rss_bytes: process.resourceUsage().maxRSS * 1024 };
}

process.on('message', ({ id, request }: { id: number; request: NodeRequest }) => {
  process.send?.({ id, answer: request === 'memory' ? measure() : takeChanges() });
});
process.on('disconnect', async () => {
  await events.close();
  await Promise.all([api.close(), secure.close(), huge.close()]);
  await postgres.remove();
});
const ready: NodeReady = {
  port: Number(new URL(api.url).port),
  tls_port: (secure.server.address() as AddressInfo).port,
  huge_port: (huge.server.address() as AddressInfo).port,
  tokens: people.map(({ token }) => token),
};
process.send?.({ id: 0, answer: ready });
