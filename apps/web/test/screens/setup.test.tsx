import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { getServerProfile, type ServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { BILBAO, DONE, LOAD, SetupModel } from '../models/setup-model.ts';
import { SERVER_PROFILE } from '../models/signed-in.ts';
import { openApp, type Phone } from '../open-app.ts';

const CODE = 'abcd-efgh-jkmn';
const ADDRESS = `/setup#${CODE}`;
async function openSetup(options: Parameters<typeof openApp>[0] & { change?: (model: SetupModel) => void } = {}) {
  let model: SetupModel | undefined;
  const { change, prepare, ...rest } = options;
  const phone = await openApp({
    path: '/setup',
    ...rest,
    prepare: (server) => {
      model = new SetupModel(server);
      change?.(model);
      prepare?.(server);
    },
  });
  return { ...phone, model: model as SetupModel };
}

const step = async (name: string) => within(await screen.findByRole('region', { name }));
const withTown = (model: SetupModel) => {
  model.profile.town = BILBAO;
};

describe('who is not the operator', () => {
  test('reads at a used or expired address that it no longer works, and how another one is made', async () => {
    const { server } = await openSetup({
      path: ADDRESS,
      change: (model) => {
        model.is_operator = false;
      },
      prepare: (fake) => fake.refuse(redeemOperatorInvite, 'invite_invalid'),
    });
    await screen.findByRole('heading', { name: 'This address no longer works' });
    screen.getByText('npm run sendlap -- operators invite');
    expect(server.asked(redeemOperatorInvite).length).toBe(1);
    expect(server.asked(updateServerProfile)).toEqual([]);
  });

  test('reads without a code that the page is for the operator, and sends nothing', async () => {
    const { server } = await openSetup({
      change: (model) => {
        model.is_operator = false;
      },
    });
    await screen.findByRole('heading', { name: 'This page is for the operator' });
    expect(server.asked(redeemOperatorInvite)).toEqual([]);
  });

  test('finds no link to it in the profile; an operator does', async () => {
    const link = { name: /^Set up this server/ };
    const { model, user } = await openSetup({
      path: '/profile',
      change: (fresh) => {
        fresh.is_operator = false;
      },
    });
    await screen.findByRole('link', { name: /^Friends/ });
    expect(screen.queryByRole('link', link)).toBeNull();
    model.is_operator = true;
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await user.click(await screen.findByRole('link', { name: 'Profile' }));
    await user.click(await screen.findByRole('link', link));
    await screen.findByRole('heading', { level: 1, name: 'Set up this server' });
  });
});

test('an address whose code could not be sent is tried again by Retry, once', async () => {
  const { server, user } = await openSetup({
    path: ADDRESS,
    change: (model) => {
      model.is_operator = false;
    },
    prepare: (fake) => fake.fail(redeemOperatorInvite),
  });
  const problem = within(await screen.findByRole('alert'));
  server.heal(redeemOperatorInvite);
  await user.click(problem.getByRole('button', { name: 'Retry' }));
  await step('Name');
  // The code is used up, so the address forgets it.
  expect(window.location.hash).toBe('');
  expect(server.asked(redeemOperatorInvite).at(-1)?.body).toEqual({ code: CODE });
});

test.each([
  ['en', 'Set up your Sendlap', 'Create your account', '/register'],
  ['es', 'Configura tu Sendlap', 'Ya tengo cuenta', '/login'],
] as const)('a visitor at a set-up address is led to an account first, in %s', async (language, title, link, path) => {
  const { user } = await openApp({ path: ADDRESS, as: null, language });
  await screen.findByRole('heading', { level: 1, name: title });
  await user.click(screen.getByRole('link', { name: link }));
  await waitFor(() => expect(window.location.pathname).toBe(path));
  // After the sign-in, the way back keeps the code.
  expect(sessionStorage.getItem('return-path')).toContain(ADDRESS);
});

describe('the name', () => {
  test('is refused if it is too long, and stays in the field if the server fails', async () => {
    const { server, user } = await openSetup();
    const card = await step('Name');
    const field = card.getByRole('textbox', { name: 'Name of this server' });
    await user.type(field, 'x'.repeat(41));
    await user.click(card.getByRole('button', { name: 'Save' }));
    expect((await card.findByRole('alert')).textContent).toBe('At most 40 characters.');
    expect(server.asked(updateServerProfile)).toEqual([]);
    server.refuse(updateServerProfile, 'unavailable');
    await user.clear(field);
    await user.type(field, 'Club');
    await user.click(card.getByRole('button', { name: 'Save' }));
    await card.findByRole('alert');
    expect(field).toHaveProperty('value', 'Club');
  });

  test('is saved, and removed when it is empty', async () => {
    const { model, user } = await openSetup();
    const card = await step('Name');
    card.getByRole('img', { name: 'Step 1 of 5' });
    const field = card.getByRole('textbox', { name: 'Name of this server' });
    await user.type(field, ' Club Bilbao ');
    await user.click(card.getByRole('button', { name: 'Save' }));
    await card.findByRole('img', { name: 'Done' });
    expect(model.profile.name).toBe('Club Bilbao');
    await user.clear(field);
    await user.click(card.getByRole('button', { name: 'Save' }));
    await card.findByRole('img', { name: 'Step 1 of 5' });
    expect(model.profile.name).toBeNull();
  });
});

test('a town that does not exist is named so; the chosen one is where the map begins from then on', async () => {
  const { user } = await openSetup();
  const card = await step('Town');
  const field = card.getByRole('textbox', { name: 'Your town' });
  await user.type(field, 'qqqq');
  await card.findByText('No town with this name.');
  await user.clear(field);
  await user.type(field, 'bil');
  await user.click(await card.findByRole('button', { name: 'Choose Bilbao, Spain' }));
  await card.findByRole('button', { name: 'Change town' });
  expect(card.queryByRole('textbox')).toBeNull();
  expect(JSON.parse(localStorage.getItem('server-town') ?? 'null')).toMatchObject({ id: BILBAO.id });
});

describe('sport centers', () => {
  const load = async (phone: Phone, name = 'Load the sport centers of Bilbao') =>
    phone.user.click(await screen.findByRole('button', { name }));

  test('need the town first', async () => {
    await openSetup();
    const card = await step('Sport centers');
    card.getByText('Choose the town first.');
    expect(card.queryByRole('button')).toBeNull();
  });

  test('are loaded with progress and a report of what came', async () => {
    const { model, ...phone } = await openSetup({ change: withTown });
    await load(phone);
    const card = await step('Sport centers');
    await card.findByText('Part 1 of 2');
    expect(card.queryByRole('button', { name: /^Load/ })).toBeNull();
    model.loads = [{ ...LOAD, status: 'saving', fetched: 2 }];
    await card.findByText('Saving…');
    expect(card.queryByRole('button', { name: 'Cancel' })).toBeNull();
    model.loads = [DONE];
    await card.findByText('1 new center · 42 unchanged');
    card.getByText('2 centers are closed: OpenStreetMap no longer has them.');
    card.getByText(/^5 entries were left out/);
    card.getByRole('button', { name: 'Load again' });
    expect(card.getByRole('link', { name: 'See them on the map' }).getAttribute('href')).toBe('/sport-centers');
  });

  test('of a busy map server say when it is asked again, and a cancelled load that nothing changed', async () => {
    const retry_at = new Date(2026, 10, 26, 12, 31).toISOString();
    const { user } = await openSetup({
      change: (model) => {
        withTown(model);
        model.loads = [{ ...LOAD, retry_at }];
      },
    });
    const card = await step('Sport centers');
    await card.findByText(/busy\. Next try at 12:31/);
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    await card.findByText('Cancelled. Nothing was changed.');
    card.getByRole('button', { name: 'Load the sport centers of Bilbao' });
  });

  test('that could not be loaded say why, and are loaded at the next try', async () => {
    const failure = 'https://overpass.example answered 504';
    const { model, ...phone } = await openSetup({
      change: (fresh) => {
        withTown(fresh);
        fresh.loads = [{ ...LOAD, status: 'failed', failure, finished_at: LOAD.requested_at }];
      },
    });
    const card = await step('Sport centers');
    await card.findByRole('alert');
    card.getByText(failure);
    await load(phone);
    await card.findByText('Part 1 of 2');
    expect(model.loads).toEqual([LOAD]);
  });
});

test('without signal nothing can be saved, and it says so', async () => {
  const phone = await openSetup({ change: withTown });
  const card = await step('Sport centers');
  await card.findByRole('button', { name: 'Load the sport centers of Bilbao' });
  phone.setOnline(false);
  await waitFor(() => {
    for (const button of screen.getAllByRole('button', { name: 'Needs a connection' }))
      expect(button).toHaveProperty('disabled', true);
  });
});

describe('people are invited', () => {
  const openInvite = async (join_url: string) => {
    await openSetup({
      change: (model) => {
        model.profile.join_url = join_url;
      },
    });
    return step('Invite people');
  };

  test('by an address that others reach, and its QR code', async () => {
    const card = await openInvite('http://192.168.1.20:8000');
    card.getByText('http://192.168.1.20:8000');
    card.getByRole('img', { name: 'QR code of the address http://192.168.1.20:8000' });
  });

  test('not by one that only this computer reaches: the card says how phones can', async () => {
    const card = await openInvite('http://localhost:8000');
    card.getByText('npm start -- --phone');
    expect(card.queryByRole('img', { name: /^QR code/ })).toBeNull();
  });
});

describe('the sign-in page', () => {
  const openLogin = (profile: Partial<ServerProfile>, language: 'en' | 'es' = 'en') =>
    openApp({
      path: '/login',
      as: null,
      language,
      prepare: (server) => server.on(getServerProfile, () => ({ ...SERVER_PROFILE, ...profile })),
    });

  test.each([
    ['en', /^This server waits for its operator/],
    ['es', /^Este servidor espera a quien lo administre/],
  ] as const)('says that the server waits for its operator, in %s', async (language, text) => {
    await openLogin({ is_waiting_for_operator: true }, language);
    await screen.findByText(text);
  });

  test('shows whose server it is, and works without that answer', async () => {
    await openLogin({ name: 'Club Bilbao' });
    await screen.findByText('· Club Bilbao');
    const { server, reload } = await openApp({ path: '/login', as: null });
    server.fail(getServerProfile);
    await reload('/login');
    await screen.findByRole('button', { name: 'Sign in' });
  });
});
