import { createRequire } from 'node:module';

/** The version of the server and of its CLI: that of the package. */
export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as { version: string };
