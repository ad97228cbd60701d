import { requestStreetLoad } from '@sendlap/contract/map/street-loads.ts';
import { describe, expect, test } from 'vitest';
import { type SetupModel, STREETS, STREETS_DONE } from '../models/setup-model.ts';
import { expectFocusOnHeading, openSetup, step, withTown } from '../scenes/setup-page.ts';

const LOAD = { name: 'Load the streets of Bilbao' };

function withStreets(model: SetupModel): void {
  withTown(model);
  model.profile.has_streets = true;
  model.street_loads = [STREETS_DONE];
}

describe('streets', () => {
  test('need the town first', async () => {
    await openSetup();
    const card = await step('Streets');
    card.getByText(/Choose the town first, then load its streets\.$/);
    expect(card.queryByRole('button')).toBeNull();
  });

  test('that a setting decides are not loaded here', async () => {
    await openSetup({
      change: (model) => {
        withTown(model);
        model.profile.has_streets = true;
        model.has_street_setting = true;
      },
    });
    const card = await step('Streets');
    await card.findByText('The map has streets: the setting MAP_STREETS says where from.');
    card.getByRole('img', { name: 'Done' });
    expect(card.queryByRole('button')).toBeNull();
  });

  test('that the server refuses to load say why', async () => {
    const { user, server } = await openSetup({
      change: withTown,
      prepare: (fake) => fake.refuse(requestStreetLoad, 'street_load_under_way'),
    });
    const card = await step('Streets');
    await user.click(await card.findByRole('button', LOAD));
    await card.findByText(/^The streets of another town are being loaded\./);
    server.heal(requestStreetLoad);
    await user.click(card.getByRole('button', LOAD));
    await card.findByText('Waiting for its turn…');
  });

  test('are loaded with progress, and the map has them at once', async () => {
    const { model, user } = await openSetup({ change: withTown });
    const card = await step('Streets');
    card.getByRole('img', { name: 'Step 4 of 5' });
    await user.click(await card.findByRole('button', LOAD));
    await card.findByText('Waiting for its turn…');
    expect(card.queryByRole('button', LOAD)).toBeNull();
    model.street_loads = [{ ...STREETS, fetched: 0, total: 0 }];
    await card.findByText('Looking for the streets of Bilbao…');
    model.street_loads = [STREETS];
    await card.findByText('3.2 MB of 12 MB');
    expect(card.getByRole('progressbar', { name: 'Loading the streets of Bilbao' })).toHaveProperty(
      'position',
      3.2 / 12,
    );
    withStreets(model);
    await card.findByText(/^The map has the streets of Bilbao, 7.5 mi around it\.$/);
    await card.findByRole('img', { name: 'Done' });
    card.getByRole('button', { name: 'Load again' });
    expect(card.getByRole('link', { name: 'See them on the map' }).getAttribute('href')).toBe('/sport-centers');
  });

  test('that are too many say that they end closer to the town', async () => {
    await openSetup({
      change: (model) => {
        withStreets(model);
        model.street_loads = [{ ...STREETS_DONE, radius_km: 8 }];
      },
    });
    const card = await step('Streets');
    await card.findByText(/5 mi around it\. Farther out there are too many/);
  });

  test('that are cancelled or cannot be loaded leave the map unchanged, and the reason is shown', async () => {
    const failure = 'The map at the address has no streets of Bilbao.';
    const { model, user } = await openSetup({
      change: (fresh) => {
        withTown(fresh);
        fresh.street_loads = [{ ...STREETS, status: 'failed', failure, finished_at: STREETS.requested_at }];
      },
    });
    const card = await step('Streets');
    await card.findByRole('alert');
    card.getByText(failure);
    await user.click(card.getByRole('button', LOAD));
    model.street_loads = [STREETS];
    await card.findByText('3.2 MB of 12 MB');
    await user.click(card.getByRole('button', { name: 'Cancel' }));
    await card.findByText('Cancelled. The map stays as it was.');
    await expectFocusOnHeading('Streets');
    card.getByRole('button', LOAD);
  });

  test('of another town stay until those of the new town are loaded', async () => {
    await openSetup({
      change: (model) => {
        withStreets(model);
        model.street_loads = [{ ...STREETS_DONE, name: 'Girona', town_id: 'geonames:3121456' }];
      },
    });
    const card = await step('Streets');
    await card.findByText(/^The map has the streets of Girona, 7.5 mi around it\.$/);
    card.getByRole('button', LOAD);
  });

  test('are offered in Spanish', async () => {
    const { user, model } = await openSetup({ language: 'es', change: withTown });
    const card = await step('Calles');
    await user.click(await card.findByRole('button', { name: 'Cargar las calles de Bilbao' }));
    await card.findByText('Esperando su turno…');
    model.street_loads = [STREETS];
    await card.findByText('3,2 MB de 12 MB');
    withStreets(model);
    await card.findByText(/^El mapa tiene las calles de Bilbao, 12 km a la redonda\.$/);
  });
});
