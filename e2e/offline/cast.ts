import { ROOM_BYTES } from '../browser/room.ts';
import { removeWebCrypto } from '../kills/random-kills.ts';
import { waitForWorker } from '../people/athlete.ts';
import { writeHistory } from '../people/chat-history.ts';
import { befriend } from '../people/friends.ts';
import { waitForStepBack } from '../screens/chat-page.ts';
import type { LifeOptions } from './life.ts';
import { openChat } from './messages.ts';
import { createPerson, createPersonOn, meet, type Person, signInByForm } from './person.ts';
import { ACT_TIMEOUT_MS, createPhone, type Phone, SET_UP_TIMEOUT_MS } from './phone.ts';
import type { LifePlan } from './plan.ts';
import type { Random } from './random.ts';

const FRIEND_NAME = 'Bea';

/** A user and the phone that the user holds. */
export interface Holder {
  phone: Phone;
  person: Person;
}

interface Cast {
  friend_name: string;
  user_ids: string[];
}

/**
 * An athlete with a phone that has the app, the center and a chat with a friend, all while the network is good; perhaps
 * with a second phone. Each phone is added to `holders` once it exists.
 */
export async function createCast(
  plan: LifePlan,
  options: LifeOptions & { random: Random; tell: (line: string) => void },
  holders: Holder[],
): Promise<Cast> {
  const { server } = options;
  const friend = await createPerson(server, FRIEND_NAME);
  let athlete: Person | undefined;
  for (let nth = 0; nth < plan.phones; nth += 1) {
    const phone = await createPhone({
      ...options,
      portal_status: plan.portal_status,
      clock_days: plan.clock_days,
      room_bytes: plan.trouble === 'device full' ? ROOM_BYTES : undefined,
      prepare: async (context) => void (options.is_keyless && (await context.addInitScript(removeWebCrypto))),
    });
    const holder: Holder = { phone, person: athlete ? meet(athlete) : friend };
    holders.push(holder);
    await phone.start();
    if (athlete) {
      await signInByForm(phone.page(), server, athlete);
    } else {
      athlete = await createPersonOn(phone, server, 'Ana');
      holder.person = athlete;
      await befriend(server, athlete, friend);
      await writeHistory(server, athlete, friend, [{ by: friend, text: 'Hi', minutes_ago: 5 }]);
    }
    await makeReady(holder, options);
  }
  return { friend_name: FRIEND_NAME, user_ids: [friend.user_id, ...(athlete ? [athlete.user_id] : [])] };
}

/** Opens the screens that the athlete needs later, so that their copies are on the phone, and waits for the worker. */
async function makeReady({ phone, person }: Holder, { server, center_id }: LifeOptions): Promise<void> {
  const page = phone.page();
  page.setDefaultTimeout(SET_UP_TIMEOUT_MS);
  await page.goto(`${server.url}/sport-centers/${center_id}`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Start swimming' }).waitFor();
  await openChat(page, FRIEND_NAME, person);
  await page.keyboard.press('Escape');
  await waitForStepBack(page);
  await waitForWorker(page);
  page.setDefaultTimeout(ACT_TIMEOUT_MS);
}
