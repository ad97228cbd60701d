import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts of the sign-in page's demo user, which may only be in a development build. */
export const DEMO_TRACES = ['demo@sendlap.test', 'sendlap demo user', 'VITE_DEMO_USER', 'users create', 'Demo user'];
/** A text of the real sign-in page: a folder without it is not a build of the app. */
export const SIGN_IN_TEXT = 'Use e-mail and password';

const READ = /\.(js|css|html|json|webmanifest)$/;
/** The hash that the build appends to a file name, which may contain any word by chance. */
const HASH = /-[\w-]{8}(?=\.\w+$)/;

/** Throws if a built file has a trace of the demo user in its content or its name. */
export function checkDemoUser(dist: string): void {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && READ.test(entry.name),
  );
  const built = files.map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }));
  if (!built.some(({ text }) => text.includes(SIGN_IN_TEXT))) throw new Error(`${dist} holds no sign-in page`);
  for (const { name, text } of built) {
    const trace = DEMO_TRACES.find((demo) => text.includes(demo));
    if (trace !== undefined) throw new Error(`${name} holds ${JSON.stringify(trace)} of the demo user`);
    if (/demo/i.test(name.replace(HASH, ''))) throw new Error(`${name} is a file of the demo user`);
  }
}
