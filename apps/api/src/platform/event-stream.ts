import { fastifySSE } from '@fastify/sse';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from './errors.ts';
import type { Events } from './events.ts';
import type { Gate } from './route.ts';

const HEARTBEAT_MS = 10_000;
const LIVENESS_CHECK_MS = 1_000;
/** For what another node kept but had no time to tell. */
const LOOK_EVERY_MS = 30_000;

/**
 * GET /v1/events: the user's kept events after `Last-Event-ID` (without it: only new ones), then live. The stream
 * ends within 5 s of its session's end.
 */
export async function mountEventStream(app: FastifyInstance, events: Events, gate: Gate): Promise<void> {
  await app.register(fastifySSE, { heartbeatInterval: HEARTBEAT_MS });
  app.get(
    EVENTS_PATH,
    {
      sse: 'only',
      schema: { hide: true },
      onRequest: async (request) => {
        request.session = await gate.authenticate(request);
        refuseOtherTypes(request.headers.accept);
      },
    },
    async (request, reply) => {
      if (!request.session) throw new AppError('unauthenticated', 'Sign in first');
      const after = parseEventId(request.headers['last-event-id']) ?? (await events.lastSeq(request.session.user_id));
      reply.header('x-accel-buffering', 'no');
      reply.sse.keepAlive();
      reply.sse.sendHeaders();
      const stop = stream(events, request.session.user_id, after, reply);
      const alive = setInterval(async () => {
        try {
          await gate.authenticate(request);
        } catch {
          reply.sse.close();
        }
      }, LIVENESS_CHECK_MS);
      reply.sse.onClose(() => {
        clearInterval(alive);
        stop();
      });
    },
  );
}

/** Before the library does, whose answer has no envelope. */
function refuseOtherTypes(accept = '*/*'): void {
  if (/text\/(event-stream|\*)|\*\/\*/.test(accept)) return;
  throw new AppError('bad_request', 'This address gives a stream of events (text/event-stream)');
}

/** Sends in order, one read at a time; a slow reader is served from the table, nothing piles up in memory. */
function stream(events: Events, user_id: string, after: number, reply: FastifyReply): () => void {
  let seq = after;
  let more = true;
  let running = false;
  const pump = async () => {
    if (running) return;
    running = true;
    try {
      while (more && reply.sse.isConnected) {
        more = false;
        const page = await events.readAfter(user_id, seq);
        for (const { seq: id, event } of page) {
          await reply.sse.send({ id: String(id), event: event.type, data: event });
          seq = id;
        }
        if (page.length > 0) more = true;
      }
    } catch {
      reply.sse.close();
    } finally {
      running = false;
    }
  };
  const look = () => {
    more = true;
    void pump();
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  const unsubscribe = events.subscribe(user_id, {
    onKept: look,
    onBroadcast(event) {
      if (reply.sse.isConnected) void reply.sse.send({ event: event.type, data: event }).catch(() => reply.sse.close());
    },
  });
  void pump();
  return () => {
    clearInterval(looking);
    unsubscribe();
  };
}

function parseEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
