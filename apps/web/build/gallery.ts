import type { Plugin } from 'vite';

/** Where development serves the gallery of components. */
const GALLERY_PATH = '/dev/ui';
/** Its modules are in this folder of the app, beside `src`. */
const GALLERY_FOLDER = '/apps/web/gallery/';

/** Serves the gallery at `/dev/ui` in development. Fails a build that holds a module of it. */
export function gallery(): Plugin {
  return {
    name: 'sendlap-gallery',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path, query] = (request.url ?? '').split('?');
        if (path === GALLERY_PATH) request.url = `/gallery/index.html${query === undefined ? '' : `?${query}`}`;
        next();
      });
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const module = 'moduleIds' in file && file.moduleIds.find((id) => id.includes(GALLERY_FOLDER));
        if (module) throw new Error(`${file.fileName} holds ${module} of the gallery`);
      }
    },
  };
}
