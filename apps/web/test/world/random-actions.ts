import type { Moments } from './base/moments.ts';
import type { Random } from './base/random.ts';
import type { See } from './base/sights.ts';
import type { State } from './phone/network.ts';
import { type Phone, SAVE_TURNS } from './phone/phone.ts';
import type { Tablet } from './phone/tablet.ts';

const STATES: readonly [State, ...State[]] = ['shaky', 'shaky', 'shaky', 'good', 'portal', 'offline'];
const MINUTE_MS = 60_000;
const SHORT_MS = 2_000;
const WAIT_MS = 90_000;
const TABLET_CHANCE = 0.2;
/** Tokens expire, and the app checks its session. */
const LONG_WAIT_MS = 30 * MINUTE_MS;
const ACTIONS = [
  ...(['save', 'save', 'save', 'save', 'save', 'save', 'crash', 'crash', 'reload', 'sign in', 'sign in'] as const),
  ...([
    'sign out',
    'network',
    'network',
    'wait',
    'wait',
    'long wait',
    'read',
    'clock',
    'tab',
    'disk',
    'close',
  ] as const),
] as const;
const CLOCK_MOVES_MS = [-180 * MINUTE_MS, -5 * MINUTE_MS, 5 * MINUTE_MS, 180 * MINUTE_MS] as const;

interface ActionDeps {
  random: Random;
  moments: Moments;
  see: See;
  phones: readonly [PhoneOfUsers, ...PhoneOfUsers[]];
  tablet: Tablet | null;
}

/** A phone, and who may sign in there. */
export interface PhoneOfUsers {
  phone: Phone;
  users: readonly [string, ...string[]];
}

/** What happens next on one of the phones, by chance. */
export function createActions({ random, moments, see, phones, tablet }: ActionDeps) {
  /** A device's clock may be set once: more cannot be told apart. */
  const moved = new Set<Phone>();
  const last_users = new Map<Phone, string>();

  function signIn({ phone, users }: PhoneOfUsers): void {
    if (phone.page().shownUser() !== null) return;
    const user_id = random.pick(users);
    if ((last_users.get(phone) ?? user_id) !== user_id) see('other user');
    last_users.set(phone, user_id);
    void phone.signIn(user_id);
  }

  function setNetwork(phone: Phone): void {
    const was_online = phone.network.isOnline();
    phone.network.setState(random.pick(STATES));
    const { outbox } = phone.page();
    if (!was_online && phone.network.isOnline()) moments.after(1_000, () => void outbox.flush());
  }

  async function moveClock({ phone }: PhoneOfUsers): Promise<void> {
    if (moved.has(phone)) return;
    moved.add(phone);
    if (random.chance(0.5)) {
      // No page has seen both the save and the move: the app has to ask when it was.
      phone.network.setState('offline');
      await phone.reload();
      await moments.pass(random.below(LONG_WAIT_MS));
      void phone.save();
      await moments.pass(random.below(LONG_WAIT_MS));
      await phone.crash();
    }
    phone.moveClock(random.pick(CLOCK_MOVES_MS));
  }

  /** The app is closed for a while, perhaps in the middle of a save, and the phone comes to other networks. */
  async function closeApp(phone: Phone): Promise<void> {
    if (random.chance(0.5)) void phone.save();
    await moments.settle(random.below(SAVE_TURNS));
    await phone.close(async () => {
      await moments.pass(random.below(WAIT_MS));
      phone.network.setState(random.pick(STATES));
      await moments.pass(random.below(LONG_WAIT_MS));
    });
  }

  async function disturb(kiosk: Tablet): Promise<void> {
    await kiosk.look();
    if (!random.chance(TABLET_CHANCE)) return;
    const kind = random.pick(['crash', 'reload', 'network'] as const);
    if (kind === 'network') kiosk.network.setState(random.pick(STATES));
    else await kiosk[kind]();
  }

  /** Each action begins only. Then some time passes. */
  return async function act(): Promise<void> {
    if (tablet) await disturb(tablet);
    const one = random.pick(phones);
    const { phone } = one;
    const kind = random.pick(ACTIONS);
    const is_ready = await phone.look(kind);
    if (kind === 'crash') await phone.crash();
    else if (kind === 'reload') await phone.reload();
    else if (kind === 'close') await closeApp(phone);
    else if (kind === 'tab') await phone.turnToTab();
    else if (kind === 'network') setNetwork(phone);
    else if (kind === 'clock') await moveClock(one);
    else if (kind === 'save') void phone.save();
    else if (kind === 'read') void phone.readRefusals();
    else if (kind === 'disk') phone.disk.setFull(!phone.disk.isFull());
    else if (kind === 'sign in' && is_ready) signIn(one);
    else if (kind === 'sign out' && is_ready && phone.page().shownUser() !== null) void phone.signOut();
    const limit_ms = kind === 'wait' ? WAIT_MS : kind === 'long wait' ? LONG_WAIT_MS : SHORT_MS;
    await moments.pass(random.below(limit_ms));
  };
}
