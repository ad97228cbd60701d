import type { Activity } from '@sendlap/contract/activities.ts';
import { screen, within } from '@testing-library/dom';
import { stubMap } from '../device/stub-map.ts';
import { ActivityModel } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp, type Phone } from '../open-app.ts';

/** An hour after the end of the activities of `activityOf`. */
const NOW = '2026-11-20T11:45:00Z';
/** Longer than the 5 s in which a finish or a deletion can be undone. */
export const AFTER_UNDO_MS = 6_000;
export const MINUTE_MS = 60_000;
export const OFFLINE = "You're offline - Changes will sync when you're back online";
const POOL_PATH = `/sport-centers/${POOL.id}`;

interface Scene {
  path?: string;
  now?: string;
  /** The athlete's activities on the server when the app opens. */
  first?: Activity[];
  language?: 'en' | 'es';
  locale?: string;
}

/** Opens the app of an athlete who trains at the pool. */
export async function openAppWithActivities(scene: Scene = {}): Promise<Phone & { activities: ActivityModel }> {
  const { path = POOL_PATH, now = NOW, first = [], language = 'en', locale } = scene;
  stubMap();
  let activities: ActivityModel | undefined;
  const phone = await openApp({
    path,
    now,
    language,
    ...(locale ? { locale } : {}),
    prepare: (server) => {
      answerCenter(server);
      activities = new ActivityModel(server, [POOL], first);
    },
  });
  if (!activities) throw new Error('the server was not prepared');
  return { ...phone, activities };
}

/** Goes offline on the pool's page, once the app has reached its server. */
export async function goOffline(phone: Phone): Promise<void> {
  await screen.findByRole('button', { name: 'Start swimming' });
  await phone.server.stream.opened();
  phone.setOnline(false);
  await screen.findByText(OFFLINE);
}

export async function startSwimming({ user }: Phone): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Start swimming' }));
}

/** Lets the Undo expire, in two leaps: the outbox may compute its wait before the first leap and start it after. */
export async function passUndo({ passTime }: Phone): Promise<void> {
  await passTime(AFTER_UNDO_MS);
  await passTime(AFTER_UNDO_MS);
}

/** Finishes the activity on the screen and lets its Undo expire. */
export async function finish(phone: Phone): Promise<void> {
  await phone.user.click(await screen.findByRole('button', { name: 'Finish' }));
  await screen.findByRole('link', { name: 'Show my code' });
  await passUndo(phone);
}

export const pathOf = ({ client_id }: Pick<Activity, 'client_id'>) => `/activities/${client_id}`;
/** The screen without navigation, sheets and toasts. */
export const main = () => within(screen.getByRole('main'));
