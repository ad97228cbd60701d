import { getDashboard } from '@sendlap/contract/dashboard.ts';
import { listMyRefereeRights, type RefereeRight } from '@sendlap/contract/referees.ts';
import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { POOL } from '../models/pool.ts';
import { answerSkills } from '../models/signed-in.ts';
import { openApp } from '../open-app.ts';
import { athlete } from '../people.ts';
import { passTriesUntil } from '../scenes/chat-panel.ts';

/** The tour is offered to a new account for a week. */
const NEW = athlete('Tove', 6, { created_at: new Date().toISOString() });

const RIGHT: RefereeRight = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming'],
  valid_until: null,
};

const WORDS = {
  en: {
    offer: 'New here?',
    begin: 'Show me around',
    of: 'of',
    scanning: 'Tap “Scan a code” to open the camera',
    titles: [
      'Welcome to Sendlap',
      'Skills radar',
      'Activity history',
      'Sport centers',
      'Ranks',
      'Friends and chat',
      'Profile',
      'Ready when you are',
    ],
  },
  es: {
    offer: '¿Es tu primera vez aquí?',
    begin: 'Empezar el recorrido',
    of: 'de',
    scanning: 'Toca «Escanear un código» y se abre la cámara',
    titles: [
      'Te damos la bienvenida a Sendlap',
      'Radar de habilidades',
      'Historial de actividades',
      'Centros deportivos',
      'Clasificación',
      'Amigos y chat',
      'Perfil',
      'Todo listo',
    ],
  },
};

/** The step on the screen. */
const step = (title: string) => screen.findByRole('dialog', { name: title });
const queryStep = () => screen.queryByRole('dialog');
/** The part of the home screen that the step lights, if any. */
const litPart = () => document.querySelector<HTMLElement>('.driver-active-element')?.dataset.tour;
/** The address of the link that the step lights. */
const litAddress = () => document.querySelector('.driver-active-element')?.getAttribute('href');

test.each(['en', 'es'] as const)(
  'the whole tour goes by keyboard in %s, and is not offered again [spec 1.tour.guided, 2.tour.welcome, 2.tour.skills-radar, 2.tour.history, 2.tour.sport-centers, 2.tour.leaderboards, 2.tour.chat, 2.tour.profile, 2.tour.final]',
  async (language) => {
    const { offer, begin, of, scanning, titles } = WORDS[language];
    const { user, reload, passTime } = await openApp({ as: NEW, language, now: '2026-11-20T10:00:00Z' });
    await screen.findByRole('region', { name: offer });
    screen.getByRole('button', { name: begin }).focus();
    await user.keyboard('{Enter}');
    for (const [index, title] of titles.entries()) {
      expect((await step(title)).textContent).toContain(`${index + 1} ${of} 8`);
      if (index < 7) await user.keyboard('{ArrowRight}');
    }
    await user.keyboard('{ArrowLeft}');
    await step(titles[6] ?? '');
    await user.keyboard('{ArrowRight}');
    // The last step lights the link to the scanner, and says how a scan works.
    expect((await step(titles[7] ?? '')).textContent).toContain(scanning);
    expect(litAddress()).toBe('/qr/scan');
    await user.keyboard('{Enter}');
    await vi.waitFor(() => expect(queryStep()).toBe(null));
    await vi.waitFor(() => expect(screen.queryByRole('region', { name: offer })).toBe(null));
    await reload();
    await screen.findByRole('heading', { level: 1 });
    await screen.findByRole('navigation');
    // Time to read the progress of the tour from the device.
    await passTime(5_000);
    expect(screen.queryByRole('button', { name: begin })).toBe(null);
  },
);

test('an athlete who leaves the tour resumes at that step, also after a reload without network, and starts it over from the profile', async () => {
  const phone = await openApp({ as: NEW });
  const { user, reload } = phone;
  const begin = await screen.findByRole('button', { name: 'Show me around' });
  phone.setOnline(false);
  await user.click(begin);
  await step('Welcome to Sendlap');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await step('Skills radar');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  await step('Sport centers');
  await user.keyboard('{ArrowLeft}');
  await step('Activity history');
  await user.click(screen.getByRole('button', { name: 'Leave the tour' }));
  await vi.waitFor(() => expect(queryStep()).toBe(null));

  await reload();
  await screen.findByText('You left it at step 3 of 8.');
  await user.click(screen.getByRole('button', { name: 'Go on' }));
  await step('Activity history');
  await user.keyboard('{Escape}');
  await vi.waitFor(() => expect(queryStep()).toBe(null));
  await user.click(screen.getByRole('button', { name: 'No, thanks' }));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Go on' })).toBe(null));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));

  await user.click(screen.getByRole('link', { name: /^Profile/ }));
  await user.click(await screen.findByRole('link', { name: /^Guided tour/ }));
  await step('Welcome to Sendlap');
  expect(window.location.pathname).toBe('/dashboard');
});

test.each([
  ['en', 'It appears on Home with your first confirmed activity.', 'It appears on Home with your first activity.'],
  ['es', 'Lo verás en Inicio con tu primera actividad confirmada.', 'Lo verás en Inicio con tu primera actividad.'],
] as const)(
  'to a new user the tour shows where radar and history will be, and lights something in every step but the first (%s)',
  async (language, radar, history) => {
    const { user } = await openApp({ as: NEW, language, path: '/dashboard?tour=start' });
    const { titles } = WORDS[language];
    await step(titles[0] ?? '');
    const lit: (string | undefined)[] = [];
    for (const title of titles.slice(1)) {
      await user.keyboard('{ArrowRight}');
      const shown = await step(title);
      if (title === titles[1]) expect(shown.textContent).toContain(radar);
      if (title === titles[2]) expect(shown.textContent).toContain(history);
      lit.push(litPart() ?? litAddress() ?? undefined);
    }
    expect(lit).toEqual(['first-steps', 'home', 'sportCenters', 'ranks', 'chat', 'profile', '/qr/scan']);
  },
);

test('a radar that comes after its step was shown is lit then', async () => {
  const phone = await openApp({
    as: NEW,
    now: '2026-11-20T10:00:00Z',
    path: '/dashboard?tour=start',
    prepare(server) {
      answerSkills(server);
      server.fail(getDashboard);
    },
  });
  const { server, user } = phone;
  await step('Welcome to Sendlap');
  await user.keyboard('{ArrowRight}');
  await step('Skills radar');
  expect(litPart()).toBe('first-steps');
  server.heal(getDashboard);
  await passTriesUntil(phone, () => expect(litPart()).toBe('skills-radar'));
  expect((await step('Skills radar')).textContent).toContain('2 of 8');
  await user.keyboard('{ArrowRight}');
  await step('Activity history');
});

test('to a referee the last step shows the scanner of the referee', async () => {
  const { user } = await openApp({
    as: NEW,
    path: '/dashboard?tour=start',
    prepare: (server) => server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null })),
  });
  await step('Welcome to Sendlap');
  for (const title of WORDS.en.titles.slice(1)) {
    await user.keyboard('{ArrowRight}');
    await step(title);
  }
  expect(litAddress()).toBe('/qr/scan');
  expect(document.querySelector('.driver-active-element')?.closest('header')).toBe(null);
});
