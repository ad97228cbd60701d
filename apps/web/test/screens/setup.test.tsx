import { updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { BILBAO, DONE, LOAD } from '../models/setup-model.ts';
import type { Phone } from '../open-app.ts';
import { expectFocusOnHeading, openSetup, step, withTown } from '../scenes/setup-page.ts';

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

  test('may have 40 characters, however many units each has', async () => {
    const { model, user } = await openSetup();
    const card = await step('Name');
    await user.type(card.getByRole('textbox', { name: 'Name of this server' }), '🏊'.repeat(40));
    await user.click(card.getByRole('button', { name: 'Save' }));
    await card.findByRole('img', { name: 'Done' });
    expect(model.profile.name).toBe('🏊'.repeat(40));
  });

  test('is refused with a sentence about the name, by the form and by the server', async () => {
    const { server, user } = await openSetup();
    const card = await step('Name');
    const field = card.getByRole('textbox', { name: 'Name of this server' });
    await user.type(field, '\u200b\u2060');
    await user.click(card.getByRole('button', { name: 'Save' }));
    expect((await card.findByRole('alert')).textContent).toBe('The name has no visible characters.');
    expect(server.asked(updateServerProfile)).toEqual([]);
    server.refuse(updateServerProfile, 'validation_failed');
    await user.clear(field);
    await user.type(field, 'Club');
    await user.click(card.getByRole('button', { name: 'Save' }));
    expect((await card.findByRole('alert')).textContent).toBe('The server does not accept this name. Try another one.');
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

test('a town that does not exist is named so; the chosen one is stored in this browser, for the map to begin there', async () => {
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

describe('the focus', () => {
  test('goes to the heading of the town when one is chosen, and to the field by “Change town”', async () => {
    const { user } = await openSetup();
    const card = await step('Town');
    await user.type(card.getByRole('textbox', { name: 'Your town' }), 'bil');
    await user.click(await card.findByRole('button', { name: 'Choose Bilbao, Spain' }));
    const change = await card.findByRole('button', { name: 'Change town' });
    await expectFocusOnHeading('Town');
    await user.click(change);
    await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'));
    await user.click(card.getByRole('button', { name: 'Keep Bilbao' }));
    expect(document.activeElement?.textContent).toBe('Change town');
  });

  test('goes to the heading of the sport centers when the pressed button is removed', async () => {
    const { user } = await openSetup({ change: withTown });
    const card = await step('Sport centers');
    await user.click(await card.findByRole('button', { name: 'Load the sport centers of Bilbao' }));
    const cancel = await card.findByRole('button', { name: 'Cancel' });
    await expectFocusOnHeading('Sport centers');
    await user.click(cancel);
    await card.findByText('Cancelled. Nothing was changed.');
    await expectFocusOnHeading('Sport centers');
  });
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

  test('are loaded with progress and a report of the loaded centers', async () => {
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
    card.getByText(/^3 centers are missing from OpenStreetMap/);
    card.getByText(/^5 entries were left out/);
    card.getByRole('button', { name: 'Load again' });
    expect(card.getByRole('link', { name: 'See them on the map' }).getAttribute('href')).toBe('/sport-centers');
  });

  test.each([
    ['en', 'Sport centers', 'OpenStreetMap has no pools or halls here', /^Try another town/, 'See them on the map'],
    ['es', 'Centros deportivos', /^OpenStreetMap no tiene aquí/, /^Prueba con otra localidad/, 'Verlos en el mapa'],
  ] as const)('that do not exist in the town lead to no map, in %s', async (language, title, none, hint, see) => {
    const report = { read: 1, imported: 0, updated: 0, unchanged: 0, merged: 0, refused: 1, closed: 0, missing: 0 };
    await openSetup({
      language,
      change: (fresh) => {
        withTown(fresh);
        fresh.loads = [{ ...DONE, report }];
      },
    });
    const card = await step(title);
    await card.findByText(none);
    card.getByText(hint);
    expect(card.queryByRole('link', { name: see })).toBeNull();
  });

  test('of areas are loaded by athletes too, unless the operator restricts it', async () => {
    const { model, user, server } = await openSetup({ change: withTown });
    const card = await step('Sport centers');
    const athletes = card.getByRole('switch', { name: 'Athletes may load areas too' });
    expect(athletes).toHaveProperty('checked', true);
    server.refuse(updateServerProfile, 'unavailable');
    await user.click(athletes);
    await card.findByRole('alert');
    await waitFor(() => expect(athletes).toHaveProperty('checked', true));
    server.heal(updateServerProfile);
    await user.click(athletes);
    await waitFor(() => expect(model.profile.area_loads).toBe('operators'));
    await waitFor(() => expect(athletes).toHaveProperty('checked', false));
  });

  test('of other areas, which athletes loaded, are not the state of the town', async () => {
    await openSetup({
      change: (model) => {
        withTown(model);
        model.loads = [{ ...DONE, name: 'Girona', town_id: null }];
      },
    });
    const card = await step('Sport centers');
    await card.findByRole('button', { name: 'Load the sport centers of Bilbao' });
    expect(card.queryByText('Girona')).toBeNull();
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
    await card.findByText(/busy or does not answer\. Next try at 12:31/);
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
    for (const button of screen.getAllByRole('button', { name: /: Needs a connection$/ }))
      expect(button).toHaveProperty('disabled', true);
  });
});

test('opened without signal, it says that it needs a connection, and loads automatically once there is one', async () => {
  const phone = await openSetup({ path: '/profile' });
  await screen.findByRole('link', { name: /^Friends/ });
  phone.setOnline(false);
  await phone.reload('/setup');
  await screen.findByText(/^Setting up the server needs a connection/);
  phone.setOnline(true);
  await step('Name');
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
