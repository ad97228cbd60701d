import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { isScreen } from '@sendlap/contract/wire/screens.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';
import { sendFailure } from './error-replies.ts';
import { mountPageStyle } from './pages/style.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { answerWrongHost } from './wrong-address.ts';

const DIST = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
/** Also as the compressed files beside it. */
const PAGE_FILE = /[\\/]index\.html(\.br|\.gz)?$/;
const IMPORT_MAP = /<script type="importmap">(.*?)<\/script>/gs;
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Paths that are never a page of the app. */
const NOT_A_SCREEN = /^\/(v1|oidc|assets|docs)(\/|$)|\.[a-z0-9]+$/i;

/**
 * Serves the built web app: hashed files cached for ever, everything else revalidated, screens as the app shell. An
 * unknown path is "not found": the app's page for a browser, the envelope for other clients. A browser that opened
 * another host than that of `public_url` gets a page that names the right one.
 */
export async function mountWebApp(app: FastifyInstance, public_url: string, root = DIST): Promise<void> {
  const is_built = existsSync(join(root, 'index.html'));
  answerWrongHost(app, public_url, isScreen);
  await mountPageStyle(app);
  if (is_built) {
    const page = join(root, 'index.html');
    await app.register(fastifyStatic, {
      root,
      preCompressed: true,
      // The app has none. Others, such as `.git`, are not for visitors.
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        const is_page = PAGE_FILE.test(path);
        reply.header('cache-control', is_page ? 'no-store' : path.includes('/assets/') ? IMMUTABLE : 'no-cache');
        // Read again each time: a new build may have replaced the page. The worker would keep it with a policy that
        // blocks it, until the next version.
        if (is_page) reply.header('content-security-policy', contentSecurityPolicy(readImportMaps(page)));
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const is_page = is_built && ['GET', 'HEAD'].includes(request.method) && !NOT_A_SCREEN.test(path);
    const is_screen = isScreen(path);
    // Not returned: Fastify would wait for the reply once more, and each wait adds listeners to it.
    if (is_page && (is_screen || request.headers.accept?.includes('text/html')))
      reply.code(is_screen ? 200 : 404).sendFile('index.html');
    else sendFailure(reply, new AppError('not_found', 'There is nothing at this address'));
  });
}

/** The names of the app's files: browsers read them from the page only. */
function readImportMaps(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(IMPORT_MAP)].map(([, text = '']) => text);
}
