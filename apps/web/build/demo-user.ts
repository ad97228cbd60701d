import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts of the sign-in page's demo user, which only a development build may hold. */
export const DEMO_TRACES = ['demo@sendlap.test', 'sendlap demo user', 'VITE_DEMO_USER', 'users create', 'Demo user'];
/** What the real sign-in page says beside it: a folder without this text is no build of the app. */
export const SIGN_IN_TEXT = 'Use e-mail and password here';

const READ = /\.(js|css|html|json|webmanifest)$/;
/** The hash that a build appends to a file's name, which may spell anything. */
const HASH = /-[\w-]{8}(?=\.\w+$)/;

/** Throws if a built file holds a trace of the demo user, in its text or in its name. */
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
