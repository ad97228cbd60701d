import { randomUUID } from 'node:crypto';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { createPhone, type DrillPhone } from '../../apps/web/test/drill/phone.ts';

const KINDS = [
  'page left open',
  'app loaded again',
  'signed in since the backup',
  'chat since the backup',
  'account since the backup',
] as const;
export type Kind = (typeof KINDS)[number];

export const isSince = (kind: Kind) => kind === 'signed in since the backup' || kind === 'account since the backup';

/** The restored server does not have the account. */
export const isGone = (kind: Kind) => kind === 'account since the backup';

export interface Member {
  kind: Kind;
  phone: DrillPhone;
  email: string;
  coach_id: string;
  chat_id: string;
  has_chat: boolean;
}

export interface Club {
  operator: Operator;
  url: string;
  center: { id: string; sport: 'climbing' | 'swimming' };
}

/** A phone that waits keeps no program alive. */
const wait = (delay_ms: number) => afterDelay(delay_ms, { ref: false });
const PASSWORD = 'chalk and water 26';

export async function findCenter({ database }: Operator): Promise<Club['center']> {
  const query = database.selectFrom('sport_facilities').select(['sport_center_id as id', 'type as sport']);
  return query.executeTakeFirstOrThrow();
}

/** So many phones of each kind, each of another athlete. Accounts and chats that are made later are missing. */
export async function openMembers(club: Club, per_kind: number): Promise<Member[]> {
  const coach = await club.operator.createAccount({ email: 'coach@example.org', name: 'Bo', password: PASSWORD });
  const members: Member[] = [];
  for (const [at, kind] of KINDS.entries()) {
    for (let nth = 0; nth < per_kind; nth += 1) {
      const email = `member-${at}-${nth}@example.org`;
      const chat_id = randomUUID();
      const address = `10.1.${at}.${nth + 1}`;
      const phone = await createPhone({ ...club, address, email, password: PASSWORD, chat_id, wait });
      const member: Member = { kind, phone, email, chat_id, coach_id: coach.user_id, has_chat: false };
      members.push(member);
      if (kind !== 'account since the backup') await addAccount(club, member);
    }
  }
  return members;
}

async function addAccount({ operator }: Club, member: Member): Promise<void> {
  const { user_id } = await operator.createAccount({ email: member.email, name: 'Ada', password: PASSWORD });
  if (member.kind !== 'chat since the backup') await addChat(operator, member, user_id);
}

/** Accounts, chats and sessions newer than the backup. */
export async function makeNewer({ operator }: Club, member: Member): Promise<void> {
  const { kind, email, phone } = member;
  if (kind === 'account since the backup') {
    const { user_id } = await operator.createAccount({ email, name: 'Ada', password: PASSWORD });
    await addChat(operator, member, user_id);
  }
  if (kind === 'chat since the backup') await addChat(operator, member, phone.userId());
  if (isSince(kind)) await phone.signIn();
}

/** The coach and the member are friends and have a chat. */
async function addChat({ database }: Operator, member: Member, user_id: string): Promise<void> {
  const { coach_id, chat_id } = member;
  member.has_chat = true;
  const [user_low = '', user_high = ''] = [user_id, coach_id].sort();
  await database.insertInto('friendships').values({ id: randomUUID(), user_low, user_high }).execute();
  await database.insertInto('chats').values({ id: chat_id, user_low, user_high, created_by: user_id }).execute();
}
