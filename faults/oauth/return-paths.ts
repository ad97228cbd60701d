import type { Attack, Group } from './group.ts';
import { type Answer, ask } from './http.ts';

type ParseReturnPath = (text: string | null, origin: string) => string | null;

const HOSTILE = [
  '//evil.example',
  '///evil.example',
  '////evil.example//',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '\n//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/%2e%2e/%2e%2e//evil.example',
  '//evil.example/%2f..',
  '//evil.example@localhost',
  '//localhost@evil.example',
  '@evil.example',
  '.evil.example',
  ':80',
  'evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'hTTps://evil.example',
  'http://localhost:8000.evil.example',
  'http://localhost:8000@evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:http://localhost:8000/x',
  '/auth/callback?code=x&state=y',
  '/login?error=x',
  '/login',
  '',
];

/** The web app's own function. Its code is type-checked and built separately from this program. */
export async function importParseReturnPath(): Promise<ParseReturnPath> {
  const { href } = new URL('../../apps/web/src/shared/navigation/return-path.ts', import.meta.url);
  return ((await import(href)) as { parseReturnPath: ParseReturnPath }).parseReturnPath;
}

const ORIGIN = 'http://localhost:8000';
const HONEST = ['/dashboard', '/sport-centers?sport=climbing', '/qr/scan#AbC_-9', '/activities/1?back=%2F%2Fx#y'];

/**
 * The paths that the web app's own function allows after sign-in, and the server's answers to such paths. The control
 * arm is the usual check, that a path begins with a slash, followed by a browser.
 */
export function returnPathAttacks(url: string, parseReturnPath: ParseReturnPath): Group {
  const attacks = HOSTILE.map(
    (text): Attack => ({
      name: JSON.stringify(text),
      send: async () => NO_ANSWER,
      isRefused: () => parseReturnPath(text, ORIGIN) === null,
      passesWeakCheck: () => text.trimStart().startsWith('/') && leadsAway(text),
    }),
  );
  const paths = [
    '//evil.example',
    '//evil.example/..',
    '/%2F/evil.example',
    '/\\evil.example/',
    '/%5Cevil.example/%2e%2e',
  ];
  return {
    name: 'return paths',
    isRefused: ({ status, location }) => status < 500 && status !== 403 && (!location || !leadsAway(location)),
    attacks: [
      ...attacks,
      ...paths.flatMap((path) => [
        { name: `GET ${path}`, send: () => ask(url + path) },
        { name: `GET ${path}/`, send: () => ask(`${url}${path}/`) },
      ]),
    ],
    honest: async () => HONEST.every((path) => parseReturnPath(path, ORIGIN) === path),
  };
}

function leadsAway(text: string): boolean {
  return !URL.canParse(text, ORIGIN) || new URL(text, ORIGIN).origin !== ORIGIN;
}

/** The function is called without the server. */
const NO_ANSWER: Answer = {
  status: 0,
  location: undefined,
  set_cookies: [],
  header: () => undefined,
  body: '',
  code: undefined,
  data: {},
};
