import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { Env } from '../platform/env.ts';
import { VERSION } from '../platform/version.ts';
import { measureDatabase } from './measure-database.ts';
import { measureRequests } from './measure-requests.ts';
import { measureState } from './measure-state.ts';
import { measureWork } from './measure-work.ts';
import { createMetricsServer, METRICS_PATH } from './metrics-server.ts';

interface MetricsOptions {
  database: Database;
  env: Env & { METRICS_PORT: number };
}

/**
 * Serves the metrics of this node on a port of their own, for as long as the app is open. Call it before the routes are
 * mounted: it hooks into every request. Without it nothing is measured, and its library is not loaded.
 */
export function mountMetrics(app: FastifyInstance, { database, env }: MetricsOptions): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = { name: 'sendlap_build_info', help: 'The version that runs, always 1', labelNames: ['version'] };
  new Gauge({ ...build, registers: [registry] }).set({ version: VERSION }, 1);
  const state = measureState({ database, backups_kept: env.BACKUP_KEEP }, registry);
  const endings = [measureRequests(app, registry), measureDatabase(database, registry), measureWork(registry)];
  const server = createMetricsServer({
    port: env.METRICS_PORT,
    host: env.METRICS_HOST,
    content_type: registry.contentType,
    async readMetrics() {
      await state.refresh();
      return registry.metrics();
    },
    onError: (error) => app.log.warn({ err: error }, 'the metrics could not be read'),
  });
  app.addHook('onReady', async () => {
    const { address, port } = await server.listen();
    app.log.info({ address, port, path: METRICS_PATH }, 'metrics are served');
  });
  app.addHook('onClose', async () => {
    await server.close();
    state.end();
    for (const end of endings) end();
  });
}
