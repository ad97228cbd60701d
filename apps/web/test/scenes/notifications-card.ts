import { screen, within } from '@testing-library/dom';
import { AccountModel, BODY } from '../models/account-model.ts';
import { PushModel } from '../models/push-model.ts';
import { openApp, type Phone } from '../open-app.ts';
import { NORA } from '../people.ts';

type AppOptions = NonNullable<Parameters<typeof openApp>[0]>;

/** Opens Nora's profile, in a browser without a push subscription. */
export async function openNotifications(
  options: Omit<AppOptions, 'as' | 'path'> = {},
): Promise<Phone & { account: AccountModel; pushes: PushModel }> {
  const made = Promise.withResolvers<{ account: AccountModel; pushes: PushModel }>();
  const phone = await openApp({
    ...options,
    path: '/profile',
    prepare(server) {
      made.resolve({ account: new AccountModel(server, NORA, BODY), pushes: new PushModel(server) });
      options.prepare?.(server);
    },
  });
  return { ...phone, ...(await made.promise) };
}

/** The card of notifications on the profile. */
export async function findNotifications() {
  const heading = await screen.findByRole('heading', { level: 2, name: /^(Notifications|Notificaciones)$/ });
  const card = heading.closest('section');
  if (!card) throw new Error('the heading of notifications is in no section');
  return within(card);
}
