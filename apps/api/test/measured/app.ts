import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '#api/platform/embedded-postgres.ts';
import { migrate } from '#api/platform/migrations.ts';
import { buildTestApp } from '../app.ts';
import { answerCpuTime } from './serve.ts';

/** The whole app with one signed-in user, for a bench that forks it: says where to knock, then its CPU time. */
// Made by the server itself, with the rights that its database needs.
const data_dir = join(tmpdir(), `sendlap-bench-${randomUUID()}`);
const postgres = await startEmbeddedPostgres({ data_dir, logger: pino({ level: 'silent' }) });
await migrate(postgres.url);
const test = await buildTestApp({ database_url: postgres.url, listen: true });
const { headers } = await test.signIn('Ada');

const stop = async () => {
  await test.close();
  await postgres.stop();
  await rm(data_dir, { recursive: true, force: true });
  process.exit(0);
};
process.on('disconnect', () => void stop());
process.on('SIGTERM', () => void stop());
answerCpuTime({ port: Number(new URL(test.url).port), path: '/v1/auth/me', headers });
