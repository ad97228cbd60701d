import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { createMoments } from './moments.ts';
import { createNetwork } from './network.ts';
import { openPage } from './page.ts';
import { createPhone } from './phone.ts';
import type { Random } from './random.ts';
import { createServer } from './server.ts';
import type { Sight } from './sights.ts';

/** One protection taken away. */
export const SLIPS = ['no idempotency key', 'saved before written', 'sent as any user'] as const;
export type Slip = (typeof SLIPS)[number];

const USERS = ['ana', 'ben'];
const DEEDS = 24;
const CALM_MS = 900_000;

/** Plays one world: a phone that two users share, and a bad network. Returns the damage and what occurred. */
export async function playWorld(random: Random, slip?: Slip): Promise<{ damage: string[]; sights: Set<Sight> }> {
  globalThis.indexedDB = new IDBFactory();
  const moments = createMoments(random);
  const sights = new Set<Sight>();
  const see = (sight: Sight) => void sights.add(sight);
  let user = 'ana';
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
  const signedIn = () => user;
  const server = createServer(slip === 'no idempotency key');
  const sends_as_any = slip === 'sent as any user';
  const network = createNetwork({ random, moments, server, see, signedIn, sends_as_any });
  const open = () => openPage({ random, moments, newId, signedIn, send: network.send });
  const phone = await createPhone({
    open,
    moments,
    newId,
    signedIn,
    see,
    says_saved_first: slip === 'saved before written',
  });
  const signIn = (name: string) => {
    user = name;
    phone.page().outbox.handleUserChange();
  };

  for (let deed = 0; deed < DEEDS; deed += 1) {
    const kind = random.pick(['save', 'save', 'crash', 'sign in', 'wait'] as const);
    if (kind === 'save') await phone.save();
    else if (kind === 'crash') await phone.restart();
    else if (kind === 'sign in') {
      see('other user');
      signIn(random.pick(['ana', 'ben']));
    }
    await moments.pass(random.below(kind === 'wait' ? 90_000 : 2_000));
  }
  network.calm();
  const damage: string[] = [];
  for (const name of USERS) {
    signIn(name);
    await moments.pass(CALM_MS);
    const { ops, dead } = await phone.page().rowsOf(name);
    if (ops.length + dead.length > 0) damage.push(`${name}: ${ops.length} unsent, ${dead.length} refused`);
  }
  for (const [op_id, owner] of phone.saved) {
    const found = server.ownerOf(op_id);
    if (found !== owner) damage.push(`${owner}: ${op_id} is ${found === undefined ? 'lost' : `${found}'s`}`);
  }
  phone.page().crash();
  return { damage, sights };
}
