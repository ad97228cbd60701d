import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { Database } from '#api/database/database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { createEvents, type Events } from '#api/events/events.ts';
import { createAuthenticator } from '#api/http/authenticator.ts';
import { createServer } from '#api/http/server.ts';
import { mountEventStream } from '#api/http/streams/event-stream.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { createSessions, type Sessions } from '#api/sessions/sessions.ts';
import { openSseReader, type SseReader } from './sse-reader.ts';

export interface StreamNodeOptions {
  database: Database;
  database_url: string;
  tick_ms?: number;
  stalled_ms?: number;
  max_uncertain_ms?: number;
  /** How long work in progress may take when the node closes. */
  drain_timeout_ms?: number;
  /** The clock of the sessions, in epoch milliseconds. */
  now?: () => number;
}

export interface Reader {
  user_id: string;
  session_id: string;
  token: string;
}

/** A listening server with only sign-in by token and the live stream; the test writes the events itself. */
export interface StreamNode {
  events: Events;
  sessions: Sessions;
  port: number;
  /** The server side of the connections. */
  sockets: Socket[];
  signIn(): Promise<Reader>;
  /** Opens a stream; resolves once it is open. */
  read(reader: Reader, last_id?: number | string): Promise<SseReader>;
  close(): Promise<void>;
}

export async function openStreamNode(options: StreamNodeOptions): Promise<StreamNode> {
  const { database, database_url, now = Date.now, drain_timeout_ms, ...timing } = options;
  const secrets = createSecrets('a secret for tests, at least 32 characters long');
  const sessions = createSessions({ database, secrets, now });
  const users = createUserService(database);
  const app = await createServer({
    logger: false,
    trust_proxy: undefined,
    public_url: 'http://localhost',
    drain_timeout_ms,
  });
  const kiosks = { authenticate: () => Promise.reject(new Error('no kiosks here')) };
  const operators = { isOperator: async () => false };
  const managers = { isManager: async () => false };
  const authenticator = createAuthenticator({ sessions, operators, managers, kiosks, public_url: 'http://localhost' });
  const events = createEvents(database, database_url);
  await mountEventStream(app, events, authenticator, timing);
  app.addHook('onClose', () => events.close());
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    events,
    sessions,
    port,
    sockets,
    async signIn() {
      const person = { issuer: 'test', subject: randomUUID(), email: '', name: 'Ada', display_name: 'Ada' };
      const { id: user_id } = await users.findOrCreate(person);
      const { access_token: token, session_id } = await sessions.create(user_id, 'Test');
      return { user_id, session_id, token };
    },
    read: ({ token }, last_id) => openSseReader({ port, token, last_id }),
    close: () => app.close(),
  };
}
