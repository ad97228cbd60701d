import 'fake-indexeddb/auto';
import type { Mistake } from './base/mistakes.ts';
import { createMoments, type Moments } from './base/moments.ts';
import { createNotebook } from './base/notebook.ts';
import type { Random } from './base/random.ts';
import type { See, Sight } from './base/sights.ts';
import { createAthlete } from './people/athlete.ts';
import { createReferee } from './people/referee.ts';
import { createPhone, type Person, type Phone } from './phone/phone.ts';
import { createTablet, type Tablet } from './phone/tablet.ts';
import { createActions, type PhoneOfUsers } from './random-actions.ts';
import { createServer } from './server/server.ts';
import { findDamage } from './verdict.ts';

const ANA = '00000000-0000-4000-8000-0000000000a1';
const BEN = '00000000-0000-4000-8000-0000000000b2';
const CLEO = '00000000-0000-4000-8000-0000000000c3';
/** For each phone. */
const ACTIONS = 25;
const TABLET_CHANCE = 0.25;
const CALM_MS = 300_000;
const STEP_MS = 15_000;

export interface WorldOptions {
  mistake?: Mistake;
}

/** Plays one world: a phone that two users share, often another phone of one of them, a referee and a kiosk, and a bad
 * network. Returns the damage and what occurred. */
export async function playWorld(
  random: Random,
  { mistake }: WorldOptions = {},
): Promise<{ damage: string[]; sights: Set<Sight> }> {
  const moments = createMoments();
  const restoreTimers = moments.replaceTimers();
  const restoreWarnings = silenceWarnings();
  try {
    const sights = new Set<Sight>();
    const see: See = (sight) => void sights.add(sight);
    const newId = createIds();
    const areAllOffline = () => phones.length > 1 && phones.every(({ phone }) => !phone.network.isOnline());
    const notebook = createNotebook(() => void (areAllOffline() && see('both offline')));
    const server = createServer({ moments, newId, see, forgets_ids: mistake === 'no idempotency key' });
    const { activities } = server;
    const common = { random, moments, see, newId };
    const openPhone = (person: Person) => createPhone({ ...common, mistake, server }, person);
    const tablet = random.chance(TABLET_CHANCE) ? await createTablet({ ...common, mistake, server }) : null;
    const readKiosk = async () => (tablet ? tablet.shownCode() : null);
    const openAthletes = () => openPhone(createAthlete({ ...common, mistake, notebook, activities, readKiosk }));
    const phones: [PhoneOfUsers, ...PhoneOfUsers[]] = [{ phone: await openAthletes(), users: [ANA, BEN] }];
    const has_second = random.chance(0.5);
    if (has_second) {
      see('second phone');
      phones.push({ phone: await openAthletes(), users: [random.pick([ANA, BEN])] });
    }
    if (random.chance(0.5)) {
      see('referee');
      phones.push({ phone: await openPhone(createReferee({ ...common, notebook })), users: [CLEO] });
    }
    const act = createActions({ ...common, phones, tablet });
    for (const { phone, users } of phones) void phone.signIn(random.pick(users));
    for (let action = 0; action < ACTIONS * phones.length; action += 1) await act();
    const damage = await calmDown(phones, moments);
    if (tablet) damage.push(...(await calmTablet(tablet, moments)));
    const boards = tablet ? [tablet.shownBoard()] : [];
    damage.push(...findDamage({ notebook, activities, boards, two_phones: usersOfTwo(phones) }));
    for (const { phone } of phones) {
      damage.push(...phone.record.damage, ...phone.network.damage);
      phone.end();
      phone.network.end();
    }
    return { damage, sights };
  } finally {
    restoreTimers();
    restoreWarnings();
  }
}

function usersOfTwo(phones: readonly PhoneOfUsers[]): Set<string> {
  const users = phones.flatMap((phone) => phone.users);
  return new Set(users.filter((user_id, at) => users.indexOf(user_id) !== at));
}

/** Good network, and each user signs in once more. Returns the ops that are not sent. */
async function calmDown(phones: readonly PhoneOfUsers[], moments: Moments): Promise<string[]> {
  const damage: string[] = [];
  for (const { phone } of phones) {
    phone.network.setState('good');
    phone.disk.setFull(false);
  }
  for (const { phone, users } of phones) {
    for (const user_id of users) {
      await sendAll(phone, user_id, moments);
      await phone.requeueWaiting();
      const unsent = await sendAll(phone, user_id, moments);
      if (unsent > 0) damage.push(`${user_id}: ${unsent} unsent`);
    }
  }
  return damage;
}

async function calmTablet(tablet: Tablet, moments: Moments): Promise<string[]> {
  tablet.network.setState('good');
  await moments.pass(CALM_MS);
  await tablet.look();
  tablet.end();
  tablet.network.end();
  return tablet.isPaired() ? tablet.damage : [...tablet.damage, 'the tablet is no kiosk'];
}

/** Returns how many ops are left. */
async function sendAll(phone: Phone, user_id: string, moments: Moments): Promise<number> {
  let unsent = Number.POSITIVE_INFINITY;
  for (let passed = 0; passed < CALM_MS && unsent > 0; passed += STEP_MS) {
    if (await phone.look('calm')) {
      const shown = phone.page().shownUser();
      if (shown === null) void phone.signIn(user_id);
      else if (shown !== user_id) void phone.signOut();
      else unsent = await phone.countUnsent();
    }
    await moments.pass(STEP_MS);
  }
  return unsent;
}

/** The kiosk writes each failure to the console. */
function silenceWarnings(): () => void {
  const { warn } = console;
  console.warn = () => {};
  return () => void Object.assign(console, { warn });
}

function createIds(): () => string {
  let ids = 0;
  return () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
}
