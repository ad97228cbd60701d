import Fastify from 'fastify';
import { answerCpuTime } from './serve.ts';

/** The peer: a bare Fastify JSON route with a reply of the same size as GET /v1/auth/me. */
const user = {
  id: '0b7a5c3e-1111-4222-8333-444455556666',
  email: '',
  name: 'Ada',
  public_id: 'sl-2345678901',
  age: 0,
  weight_kg: 0,
  height_cm: 0,
  is_active: true,
  created_at: '2026-11-21T10:00:00.000Z',
};
const made = new Map<number, Buffer>();
const app = Fastify();
app.get('/', async () => ({ success: true, data: { user } }));
/** The same with ready-made bytes: the bare cost of sending a reply of that size. */
app.get<{ Querystring: { bytes: string } }>('/bytes', async (request, reply) => {
  const bytes = Number(request.query.bytes);
  const body = made.get(bytes) ?? Buffer.from(JSON.stringify('x'.repeat(Math.max(0, bytes - 2))));
  made.set(bytes, body);
  return reply.type('application/json; charset=utf-8').send(body);
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.on('disconnect', () => process.exit(0));
answerCpuTime({ port: typeof address === 'object' && address ? address.port : 0, path: '/', headers: {} });
