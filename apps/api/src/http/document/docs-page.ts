import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '#api/platform/version.ts';
import { html } from '../pages/html.ts';
import { LOGO_PATH } from '../pages/layout.ts';

const compress = promisify(brotliCompress);
const PATH = '/docs';
const MAX_AGE_S = 3_600;
const HIDDEN = { schema: { hide: true } };

/** Swagger UI, from the package that has it without source maps and install scripts (decision 060), and our settings. */
const FILES = {
  'swagger-ui.css': { type: 'text/css', source: import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript',
    source: import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'),
  },
  'docs.css': { type: 'text/css', source: import.meta.resolve('./docs.css') },
  'docs.js': { type: 'text/javascript', source: import.meta.resolve('./docs.js') },
};

const addressOf = (file: keyof typeof FILES) => `${PATH}/${file}?v=${VERSION}`;

const PAGE = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Sendlap API</title>
    <link rel="icon" href="${LOGO_PATH}" type="image/svg+xml">
    <link rel="stylesheet" href="${addressOf('swagger-ui.css')}">
    <link rel="stylesheet" href="${addressOf('docs.css')}">
    <script src="${addressOf('swagger-ui-bundle.js')}" defer></script>
    <script src="${addressOf('docs.js')}" defer></script>
  </head>
  <body>
    <main id="api"></main>
    <noscript><p>This page needs JavaScript. The same content as JSON: <a href="/v1/openapi.json">/v1/openapi.json</a></p></noscript>
  </body>
</html>
`.text;

interface ServedFile {
  plain: Buffer;
  /** With brotli. */
  compressed: Buffer;
}

/** Serves the page of the API, which shows the OpenAPI document, under the server's own policy. */
export function mountDocsPage(app: FastifyInstance, loadFile = readServedFile): void {
  app.get(PATH, HIDDEN, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(PAGE),
  );
  for (const [file, { type, source }] of Object.entries(FILES)) {
    // Loaded at the first request, as few servers are ever asked; again at the next one if it failed.
    let loaded: ServedFile | undefined;
    app.get(`${PATH}/${file}`, HIDDEN, async (request, reply) => {
      loaded ??= await loadFile(source);
      const { plain, compressed } = loaded;
      const accepts_brotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
      if (accepts_brotli) reply.header('content-encoding', 'br');
      return reply
        .header('vary', 'accept-encoding')
        .header('cache-control', `public, max-age=${MAX_AGE_S}`)
        .type(`${type}; charset=utf-8`)
        .send(accepts_brotli ? compressed : plain);
    });
  }
}

async function readServedFile(source: string): Promise<ServedFile> {
  const plain = await readFile(new URL(source));
  const compressed = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { plain, compressed };
}
