import { EVENTS_PATH, LiveEvent } from '@sendlap/contract/events.ts';
import type { FastifyInstance } from 'fastify';
import type { Events } from '../events/events.ts';
import { describeFile } from '../platform/describe-file.ts';
import { AppError } from '../platform/errors.ts';
import { createLiveStreams, type LiveStreamsOptions } from './live-streams.ts';
import type { Gate } from './route.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Some proxies hold back what is not a whole reply.
  'x-accel-buffering': 'no',
};

const SCHEMA = describeFile({
  path: EVENTS_PATH,
  summary:
    'What happens to the caller: the events kept after Last-Event-ID, then live ones; each `data` is one of these',
  access: 'user',
  content: { 'text/event-stream': LiveEvent },
});

type Timing = Pick<LiveStreamsOptions, 'tick_ms' | 'stalled_ms'>;

/**
 * GET /v1/events: the user's kept events after `Last-Event-ID` (without it: only new ones), then live; where those are not
 * kept any more, `resync` comes in their place. The stream ends within 5 s of its session's end.
 */
export async function mountEventStream(
  app: FastifyInstance,
  events: Events,
  gate: Gate,
  timing: Timing = {},
): Promise<void> {
  const streams = createLiveStreams({ events, gate, ...timing });
  app.addHook('preClose', () => streams.close());
  app.get(
    EVENTS_PATH,
    {
      // There is no end of it that a HEAD could tell of.
      exposeHeadRoute: false,
      schema: SCHEMA,
      onRequest: async (request) => {
        request.session = await gate.authenticate(request);
        refuseOtherTypes(request.headers.accept);
      },
    },
    async (request, reply) => {
      if (!request.session) throw new AppError('unauthenticated', 'Sign in first');
      const { user_id } = request.session;
      const seq = parseEventId(request.headers['last-event-id']);
      const position = await events.readPosition(user_id, seq);
      reply.hijack();
      // Its end is that of the connection, so that an event is one piece, and not three.
      reply.raw.useChunkedEncodingByDefault = false;
      reply.raw.writeHead(200, HEADERS);
      streams.open(request, reply.raw, { user_id, seq, position });
    },
  );
}

function refuseOtherTypes(accept = '*/*'): void {
  if (/text\/(event-stream|\*)|\*\/\*/.test(accept)) return;
  throw new AppError('bad_request', 'This address gives a stream of events (text/event-stream)');
}

function parseEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
