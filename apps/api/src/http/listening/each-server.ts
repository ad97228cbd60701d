import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Node publishes here each server of the process that is about to listen. */
const LISTEN_CHANNEL = 'tracing:net.server.listen:asyncStart';

/**
 * Calls `attach` with each server of the app before it listens. `localhost` may have two addresses: Fastify creates the
 * second one's server internally and does not expose it.
 */
export function attachToEachServer(app: FastifyInstance, attach: (server: Server) => void): void {
  const [handler] = app.server.listeners('request');
  const onListen = (message: unknown) => {
    const { server } = message as { server: Server };
    if (server !== app.server && server.listeners('request').some((one) => one === handler)) attach(server);
  };
  app.addHook('onReady', async () => attach(app.server));
  subscribe(LISTEN_CHANNEL, onListen);
  app.addHook('onClose', async () => void unsubscribe(LISTEN_CHANNEL, onListen));
}
