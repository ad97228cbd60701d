import type { Plugin } from 'vite';

/** Inserts the prerendered shell into index.html, and preloads the Latin font before the style sheet is parsed. */
export function injectShell(shell: string): Plugin {
  return {
    name: 'sendlap-shell',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => /figtree-latin-wght.*\.woff2$/.test(file));
        if (!font) throw new Error('the Latin font is not in the bundle');
        return {
          html: html.replace('<!--shell-->', () => shell),
          tags: [
            {
              tag: 'link',
              injectTo: 'head-prepend',
              attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true },
            },
          ],
        };
      },
    },
  };
}
