import { getCenterClaim, getCenterPoster, listClaims } from '@sendlap/contract/center-management/claims.ts';
import { screen } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { ROUTES } from '#web/app/router/router.tsx';
import { PATHS } from '#web/shared/paths.ts';
import { stopTimersOf } from '../device/device-clock.ts';
import { stubMap } from '../device/stub-map.ts';
import { ActivityModel, activityOf } from '../models/activity-model.ts';
import { IN_WEEK } from '../models/board-model.ts';
import type { FakeServer } from '../models/fake-server.ts';
import { KioskModel } from '../models/kiosk-model.ts';
import { POOL } from '../models/pool.ts';
import { ServerManagementModel } from '../models/server-management-model.ts';
import { SetupModel } from '../models/setup-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';
import { COPY_SCREENS } from '../scenes/copy-screens.ts';
import { ManagedCenter } from './managed-center.ts';

/** After this time the app gives a request up; here it must not wait for that. */
const REQUEST_TIMEOUT_MS = 10_000;
/** After this time a screen that loads says that it takes longer than usual. */
const LATE_MS = 5_000;
const STILL_LOADS = 'This takes longer than usual. Still trying.';

interface OtherScreen {
  route: string;
  /** Without it, the route. */
  path?: string;
  /** Returns what the screen is for; throws if it is not there. */
  get: () => unknown;
  is_visitor?: boolean;
}

const button = (name: string) => () => screen.getByRole('button', { name });
const heading = (name: string) => () => screen.getByRole('heading', { name });
const text = (words: string | RegExp) => () => screen.getByText(words);

/** Work from the phone alone, and have nothing of the server whose age would matter. */
const OWN_SCREENS: OtherScreen[] = [
  { route: PATHS.generate, get: text(/331 points when confirmed/) },
  { route: PATHS.scan, get: button('Type the 8 digits') },
  { route: PATHS.account, get: heading('Delete account') },
  { route: PATHS.about, get: text('Software of others in this app') },
  { route: PATHS.login, get: button('Sign in'), is_visitor: true },
  { route: PATHS.register, get: button('Create account'), is_visitor: true },
  {
    route: PATHS.callback,
    path: `${PATHS.callback}?code=a&state=b`,
    get: text('Completing Sign In...'),
    is_visitor: true,
  },
  { route: PATHS.kiosk, get: button('Pair'), is_visitor: true },
  { route: PATHS.kioskSetUp, get: text('Tablet clock'), is_visitor: true },
];

interface NetworkScreen extends OtherScreen {
  /** Without a network the screen says this. */
  needs: RegExp;
}

const center = (route: string) => route.replace(':id', POOL.id);
const SERVER = /^Managing the server needs a connection/;
const CLAIM = /^Claiming a center needs a connection/;

/** Are of no use without the server. */
const NETWORK_SCREENS: NetworkScreen[] = [
  {
    route: PATHS.centerManagement,
    path: center(PATHS.centerManagement),
    needs: /^Managing a center needs a connection/,
    get: heading('Details'),
  },
  { route: PATHS.centerClaim, path: center(PATHS.centerClaim), needs: CLAIM, get: text(/You manage/) },
  {
    route: PATHS.centerPoster,
    path: center(PATHS.centerPoster),
    needs: /^The poster needs a connection/,
    get: text('Only a manager of this center can do this.'),
  },
  { route: PATHS.claims, needs: CLAIM, get: heading('No requests') },
  { route: PATHS.setup, needs: /connection/, get: () => screen.getAllByRole('region') },
  { route: PATHS.serverManagement, needs: SERVER, get: heading('Health') },
  { route: PATHS.people, needs: SERVER, get: () => screen.getByRole('link', { name: /Bea/ }) },
  { route: PATHS.person, path: '/manage/people/bea', needs: SERVER, get: text('bea@example.org') },
  { route: PATHS.newPerson, needs: SERVER, get: button('Create account') },
  { route: PATHS.staffedCenters, needs: SERVER, get: text('No referee and no kiosk yet') },
  { route: PATHS.reports, needs: SERVER, get: text('No open reports') },
  { route: PATHS.reviews, needs: SERVER, get: text('Nothing to look at') },
  { route: PATHS.audit, needs: SERVER, get: text('Nothing yet') },
];

test('every screen of the app has a case: it shows copies, works alone, or says that it needs a connection', () => {
  const covered = new Set([...COPY_SCREENS, ...OWN_SCREENS, ...NETWORK_SCREENS].map(({ route }) => route));
  const screens = ROUTES.map(({ path }) => path.replace('/*?', ''));
  const managed = Object.values(PATHS).filter((path) => path.startsWith(`${PATHS.serverManagement}/`));
  const all = new Set([...screens, ...managed, PATHS.kiosk, PATHS.kioskSetUp]);
  expect([...all].filter((path) => !covered.has(path))).toEqual([]);
  expect([...covered].filter((path) => !all.has(path))).toEqual([]);
});

function answerEverything(server: FakeServer): void {
  new ActivityModel(server, [POOL], [activityOf(1, POOL)]);
  new SetupModel(server);
  new ServerManagementModel(server);
  new ManagedCenter().answer(server);
  new KioskModel(server);
  server.refuse(getCenterPoster, 'not_a_manager');
  server.on(listClaims, () => ({ items: [], next_cursor: null }));
  server.on(getCenterClaim, () => ({
    center_name: POOL.name,
    is_manager: true,
    has_manager: true,
    mail: null,
    line: null,
    request: null,
  }));
}

/** Has everything that the app keeps on this phone, and loads the screen after `lose`. */
async function open({ route, path = route, is_visitor }: OtherScreen, lose: (phone: Phone) => void): Promise<Phone> {
  stubMap();
  const as = is_visitor ? null : NORA;
  const phone = await openApp({
    path: is_visitor ? PATHS.login : PATHS.dashboard,
    now: IN_WEEK,
    as,
    prepare: answerEverything,
  });
  await screen.findByRole('heading', { level: 1 });
  await runTurns();
  if (route === PATHS.generate) {
    await phone.reload(path);
    await screen.findByText(/when confirmed/);
  }
  lose(phone);
  await phone.reload(path);
  return phone;
}

describe.each(OWN_SCREENS)('$route', (one) => {
  test('is shown while the server does not answer, and without a network', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    const phone = await open(one, ({ server }) => server.hang());
    await vi.waitFor(one.get);
    phone.setOnline(false);
    await phone.reload(one.path ?? one.route);
    await vi.waitFor(one.get);
  });
});

describe.each(NETWORK_SCREENS)('$route', (one) => {
  test('says after five seconds without an answer that it still loads, with a way back, until the answer; and without a network that it needs a connection, and loads automatically', async () => {
    stopTimersOf(REQUEST_TIMEOUT_MS);
    let recover = () => {};
    const phone = await open(one, ({ server }) => (recover = server.hang()));
    await vi.waitFor(() => screen.getAllByRole('status', { name: 'Loading' }));
    await phone.passTime(LATE_MS);
    await vi.waitFor(() => screen.getAllByText(STILL_LOADS));
    // The code of the screen may come after the five seconds; until then the navigation is the way back.
    await screen.findByRole('button', { name: 'Back' });
    recover();
    await vi.waitFor(one.get);
    await vi.waitFor(() => expect(screen.queryAllByText(STILL_LOADS)).toEqual([]));

    phone.setOnline(false);
    await phone.reload(one.path ?? one.route);
    await screen.findByText(one.needs);
    await screen.findByRole('button', { name: 'Back' });
    phone.setOnline(true);
    await vi.waitFor(one.get);
  });
});
