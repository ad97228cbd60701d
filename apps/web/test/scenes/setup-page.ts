import { screen, waitFor, within } from '@testing-library/dom';
import { expect } from 'vitest';
import { BILBAO, SetupModel } from '../models/setup-model.ts';
import { openApp } from '../open-app.ts';

/** Opens the set-up, as the operator unless `change` says otherwise. */
export async function openSetup(
  options: Parameters<typeof openApp>[0] & { change?: (model: SetupModel) => void } = {},
) {
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

export function withTown(model: SetupModel): void {
  model.profile.town = BILBAO;
}

export function asAthlete(model: SetupModel): void {
  model.is_operator = false;
}

/** The card of a step. */
export async function step(name: string) {
  return within(await screen.findByRole('region', { name }));
}

export async function expectFocusOnHeading(name: string): Promise<void> {
  await waitFor(() => expect(document.activeElement?.textContent).toBe(name));
}
