import { readdir, readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { STYLE_PATH } from './layout.ts';

const STYLE_MAX_AGE_S = 3_600;
const WEB_ASSETS = new URL('../../../../web/dist/assets/', import.meta.url);
/** The subsets for English and Spanish, with the unicode ranges of the app's style sheet. */
const SUBSETS = [
  {
    file: /^figtree-latin-wght-normal-[\w-]+\.woff2$/,
    range:
      'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD',
  },
  {
    file: /^figtree-latin-ext-wght-normal-[\w-]+\.woff2$/,
    range:
      'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+0304, U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
  },
];

/**
 * Returns the app's font for the provider's style sheet: the built web app's own files and URLs, so that a browser
 * loads them only once. Empty without a build: the pages then use the system's font.
 */
async function fontFaces(): Promise<string> {
  const files = await readdir(WEB_ASSETS).catch(() => []);
  return SUBSETS.map(({ file, range }) => {
    const name = files.find((each) => file.test(each));
    if (name === undefined) return '';
    return `@font-face {
  font-family: "Figtree";
  font-display: swap;
  font-weight: 300 900;
  src: url("/assets/${name}") format("woff2");
  unicode-range: ${range};
}
`;
  }).join('');
}

/** Serves the style sheet of the pages that the server renders. */
export async function mountPageStyle(app: FastifyInstance): Promise<void> {
  const style = (await fontFaces()) + (await readFile(new URL('pages.css', import.meta.url), 'utf8'));
  app.get(STYLE_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', `public, max-age=${STYLE_MAX_AGE_S}`).type('text/css; charset=utf-8').send(style),
  );
}
