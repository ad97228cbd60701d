import { screen, within } from '@testing-library/dom';
import { ServerManagementModel } from '../models/server-management-model.ts';
import { openApp } from '../open-app.ts';

/** Opens a screen of operators at this path below /manage. */
export async function openServerManagement(
  path = '',
  options: Parameters<typeof openApp>[0] & { change?: (model: ServerManagementModel) => void } = {},
) {
  const { change, prepare, ...rest } = options;
  let model: ServerManagementModel | undefined;
  const phone = await openApp({
    path: `/manage${path}`,
    now: '2026-11-26T10:00:00Z',
    ...rest,
    prepare: (server) => {
      model = new ServerManagementModel(server);
      change?.(model);
      prepare?.(server);
    },
  });
  return { ...phone, model: model as ServerManagementModel };
}

/** The section, or the article, with this heading. */
export async function part(heading: string) {
  const title = await screen.findByRole('heading', { level: 2, name: heading });
  return within(title.closest('section, article') as HTMLElement);
}
