import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import type { Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { describeFileRoute } from '../document/describe-file-route.ts';
import type { Authenticator } from '../route.ts';
import { createLiveStreams, type LiveStreamsOptions } from './live-streams.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Some proxies buffer a response until it is complete.
  'x-accel-buffering': 'no',
};

const SCHEMA = describeFileRoute({
  path: EVENTS_PATH,
  summary:
    'What happens to the caller: the events kept after Last-Event-ID, then live ones; each `data` is one of these',
  access: 'user',
  content: { 'text/event-stream': LiveEvent },
  errors: ['unauthenticated', 'account_locked'],
});

type Timing = Pick<LiveStreamsOptions, 'tick_ms' | 'stalled_ms'>;

/**
 * GET /v1/events: the user's stored events after `Last-Event-ID` (without it: only new ones), then live events. If
 * those after it are no longer stored, sends `resync` instead. The stream ends within 5 s of its session's end.
 */
export async function mountEventStream(
  app: FastifyInstance,
  events: Events,
  authenticator: Authenticator,
  timing: Timing = {},
): Promise<void> {
  const streams = createLiveStreams({ events, authenticator, ...timing });
  app.addHook('preClose', () => streams.close());
  app.get(
    EVENTS_PATH,
    {
      // The response never ends, so a HEAD would never be answered.
      exposeHeadRoute: false,
      schema: SCHEMA,
      onRequest: async (request) => {
        request.session = await authenticator.authenticate(request);
        assertAcceptsEventStream(request.headers.accept);
      },
    },
    async (request, reply) => {
      if (!request.session) throw new AppError('unauthenticated', 'Sign in first');
      const { user_id } = request.session;
      const seq = parseEventId(request.headers['last-event-id']);
      const position = await events.readPosition(user_id, seq);
      reply.hijack();
      // The response ends with the connection, so without chunks an event is one write, not three.
      reply.raw.useChunkedEncodingByDefault = false;
      reply.raw.writeHead(200, HEADERS);
      streams.open(request, reply.raw, { user_id, seq, position });
    },
  );
}

function assertAcceptsEventStream(accept = '*/*'): void {
  if (/text\/(event-stream|\*)|\*\/\*/.test(accept)) return;
  throw new AppError('bad_request', 'This address gives a stream of events (text/event-stream)');
}

function parseEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
