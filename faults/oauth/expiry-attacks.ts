import { createBrowser } from './browser.ts';
import { type Attack, type Group, refusedWith } from './group.ts';
import { begin, CALLBACK, openForm, type Person, signUp, submit, walk } from './own-sign-in.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

interface Context {
  url: string;
  person: Person;
  /** Moves the server's clock forward; it cannot move back, so this group comes last. */
  passTime: (duration_ms: number) => Promise<void>;
}

/** Good values, sent too late. */
export function expiryAttacks({ url, person, passTime }: Context): Group {
  const refreshAfter = (duration_ms: number) => async () => {
    const { browser } = await signUp(url);
    await passTime(duration_ms);
    return browser.post('/v1/auth/refresh');
  };
  const cases: Record<string, Attack['send']> = {
    'a state of 10 minutes ago': async () => {
      const browser = createBrowser(url);
      const begun = await begin(browser);
      await passTime(10 * MINUTE_MS + SECOND_MS);
      return browser.post(CALLBACK, { json: await walk(browser, begun, person) });
    },
    'a code of 61 seconds ago': async () => {
      const browser = createBrowser(url);
      const back = await walk(browser, await begin(browser), person);
      await passTime(61 * SECOND_MS);
      return browser.post(CALLBACK, { json: back });
    },
    'a form of 31 minutes ago': async () => {
      const browser = createBrowser(url);
      const path = await openForm(browser, await begin(browser));
      await passTime(31 * MINUTE_MS);
      return submit(browser, path, person);
    },
    'an access token of 10 minutes ago': async () => {
      const { browser, access_token } = await signUp(url);
      await passTime(10 * MINUTE_MS + SECOND_MS);
      return browser.get('/v1/auth/me', { headers: { authorization: `Bearer ${access_token}` } });
    },
    'a refresh token of 30 days ago': refreshAfter(30 * DAY_MS + MINUTE_MS),
  };
  return {
    name: 'too late',
    isRefused: (answer) =>
      refusedWith('oauth_state_invalid', 'oauth_failed', 'unauthenticated', 'refresh_invalid')(answer) ||
      // The provider's page reports it as text.
      (answer.status === 400 && answer.header('content-type')?.startsWith('text/html') === true),
    attacks: Object.entries(cases).map(([name, send]): Attack => ({ name, send })),
    // Just in time.
    honest: async () => {
      const browser = createBrowser(url);
      const begun = await begin(browser);
      await passTime(9 * MINUTE_MS);
      const back = await walk(browser, begun, person);
      await passTime(50 * SECOND_MS);
      return (await browser.post(CALLBACK, { json: back })).status === 200;
    },
  };
}
