import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from './error-replies.ts';
import { AppError } from './errors.ts';

const DIST = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
/** Paths that are never a screen of the app. */
const NOT_A_SCREEN = /^\/(v1|oidc|assets|healthz|readyz|docs)(\/|$)|\.[a-z0-9]+$/i;

/**
 * Serves the built web app: hashed files for ever, everything else revalidated, screens as the shell. Also says
 * "not found" for everything that nobody serves.
 */
export async function mountWebApp(app: FastifyInstance): Promise<void> {
  const built = existsSync(`${DIST}index.html`);
  if (built) {
    await app.register(fastifyStatic, {
      root: DIST,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const forever = path.includes('/assets/');
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (built && ['GET', 'HEAD'].includes(request.method) && !NOT_A_SCREEN.test(path))
      return reply.sendFile('index.html');
    return sendFailure(reply, new AppError('not_found', 'There is nothing at this address'));
  });
}
