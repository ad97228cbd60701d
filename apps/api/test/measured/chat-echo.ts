import type { ServerResponse } from 'node:http';
import Fastify from 'fastify';
import { answerCpuTime } from './serve.ts';

/**
 * The ceiling of the transport: a bare Fastify that takes a message and writes it to the receiver's stream. It
 * authenticates no caller, stores nothing and checks nothing.
 */
const streams = new Map<string, ServerResponse>();
const app = Fastify();
app.get<{ Params: { to: string } }>('/stream/:to', (request, reply) => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.raw.flushHeaders();
  streams.set(request.params.to, reply.raw);
});
let seq = 0;
app.post<{ Params: { to: string }; Body: { message: string; client_id: string } }>(
  '/messages/:to',
  async (request, reply) => {
    const { message, client_id } = request.body;
    seq += 1;
    const created = { id: client_id, seq, message, created_at: new Date() };
    streams.get(request.params.to)?.write(`id: ${seq}\ndata: ${JSON.stringify(created)}\n\n`);
    reply.code(201);
    return { success: true, data: created };
  },
);
await app.listen({ port: 0, host: 'localhost' });
const address = app.server.address();
process.on('disconnect', () => process.exit(0));
answerCpuTime({ port: typeof address === 'object' && address ? address.port : 0, path: '/', headers: {} });
