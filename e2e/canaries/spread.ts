import { randomUUID } from 'node:crypto';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import type { WholeServer } from '../server/server.ts';
import {
  appeal,
  type Climb,
  type Climber,
  decide,
  openClimber,
  planClimb,
  recordClimb,
  signClimb,
} from './activities.ts';
import type { Canaries } from './canaries.ts';
import { isEdited, isMailable, MAIL_HOST } from './center-files.ts';
import { befriend, type Caller, makeRefereeAndManager, signUpCaller } from './people.ts';
import { writeReasons } from './reasons.ts';

/** Those who look at the screens. */
export interface Victims {
  athlete: Caller;
  /** Referee and manager of all centers. */
  staff: Caller;
  operator: Caller;
}

export interface World {
  server: WholeServer;
  operator: Operator;
  canaries: Canaries;
  victims: Victims;
  /** Centers with a canary in each text, one a payload. */
  center_ids: string[];
}

/** What the canaries were left in. */
export interface Spread {
  /** Chats of the athlete, one a payload. */
  chat_ids: string[];
  /** Rejected activities of the athlete, one a payload. */
  activity_ids: string[];
  /** An activity of the athlete with points. */
  confirmed_id: string;
  strangers: Caller[];
  /** Contents of codes of the strangers, for referees to scan. */
  codes: string[];
}

const DAY_MS = 86_400_000;
const LONG = 19_000;
/** In a code. */
const MAX_BYTES_OF_A_NAME = 24;

/** One stranger a payload writes a canary into every text that others will see. */
export async function spreadCanaries(world: World): Promise<Spread> {
  const { server, operator, canaries, victims } = world;
  const { staff, athlete } = victims;
  const victim = await openClimber(athlete, server.now);
  const spread: Spread = { chat_ids: [], activity_ids: [], confirmed_id: '', strangers: [], codes: [] };
  const climbers: Climber[] = [];
  for (let nth = 0; nth < canaries.count; nth += 1) {
    const stranger = await signUpCaller(server, operator, canaries.make('name', nth));
    spread.strangers.push(stranger);
    await stranger.send('PATCH', '/v1/users/settings', { boards: true, display_name: stranger.name });
    // Only a center without a manager can be claimed by mail.
    if (isMailable(canaries, nth)) await claimByMail(world, stranger, nth);
    await blockStranger(world, nth);
  }
  // The operator is a referee too: an appeal goes to another one.
  for (const who of [staff, victims.operator]) await makeRefereeAndManager(operator, who, world.center_ids);
  for (const [nth, stranger] of spread.strangers.entries()) {
    await befriend(operator, athlete, stranger, server.now());
    spread.chat_ids.push(await writeMessages(world, stranger, nth));
    await stranger.send('POST', '/v1/friends/request', { receiver_public_id: staff.public_id });
    await writeToOperator(world, stranger, nth);
    spread.activity_ids.push((await rejectWithReason(world, victim, nth)).client_id);
    const climber = await train(world, stranger, nth);
    climbers.push(climber);
    if (canaries.fits(nth, MAX_BYTES_OF_A_NAME)) spread.codes.push(makeCode(world, climber, nth));
    if (isEdited(nth)) await editCenter(world, nth);
  }
  const confirmed = await recordClimb(victim, world.center_ids[0] ?? '', canaries.count);
  await decide(victims.operator, victim, confirmed, { decision: 'confirm' });
  spread.confirmed_id = confirmed.client_id;
  await writeReasons(world, climbers);
  await victims.operator.send('PATCH', '/v1/server', { name: canaries.make('server name', 1) });
  return spread;
}

async function writeMessages({ canaries, victims }: World, stranger: Caller, nth: number): Promise<string> {
  const { id } = await stranger.send('POST', '/v1/chats', { receiver_id: victims.athlete.id });
  const path = `/v1/chats/${id}/messages`;
  // The longest last: the list of chats shows it.
  for (const more of ['', ' '.padEnd(LONG, 'a')])
    await stranger.send('POST', path, { message: canaries.make('message', nth, more) });
  return id;
}

/** A stranger of whom the athlete sees nothing more than the name, in the list of blocked people. */
async function blockStranger({ server, operator, canaries, victims }: World, nth: number): Promise<void> {
  const { id: user_id } = await signUpCaller(server, operator, canaries.make('blocked name', nth));
  await victims.athlete.send('POST', '/v1/friends/blocks', { user_id });
}

/** The server mails the name of the center. */
async function claimByMail({ center_ids }: World, stranger: Caller, nth: number): Promise<void> {
  const path = `/v1/sport-centers/${center_ids[nth]}/claim/mail`;
  await stranger.send('POST', path, { email: `desk@${MAIL_HOST}`, language: 'en' });
}

async function writeToOperator({ canaries, victims, center_ids, ...world }: World, stranger: Caller, nth: number) {
  const { operator, athlete } = victims;
  const center_id = center_ids[nth] ?? '';
  await stranger.send('POST', `/v1/sport-centers/${center_id}/claim/request`, { message: canaries.make('claim', nth) });
  const about = { client_id: randomUUID(), user_id: athlete.id, reason: 'other' };
  const report = await stranger.send('POST', '/v1/reports', { ...about, text: canaries.make('report', nth) });
  if (isEdited(nth)) return;
  const dismissed = { outcome: 'dismissed', reason: canaries.make('report outcome', nth) };
  await operator.send('POST', `/v1/manage/reports/${report.id}/outcome`, dismissed);
  const suspended = await signUpCaller(world.server, world.operator, 'Sue');
  const path = `/v1/manage/people/${suspended.public_id}/suspension`;
  await operator.send('PUT', path, { reason: canaries.make('suspension', nth) });
  const erasure_path = `/v1/manage/people/${suspended.public_id}/erasure`;
  await operator.send('POST', erasure_path, { reason: canaries.make('erasure', nth) });
}

/** The staff rejects an activity of the athlete. */
async function rejectWithReason(
  { canaries, victims, center_ids }: World,
  victim: Climber,
  nth: number,
): Promise<Climb> {
  const climb = await recordClimb(victim, center_ids[nth] ?? '', nth);
  await decide(victims.staff, victim, climb, { decision: 'reject', reason: canaries.make('rejection', nth) });
  return climb;
}

/** An activity with points, so that the boards show the stranger, and a rejected one with an appeal. */
async function train(
  { server, canaries, victims, center_ids }: World,
  stranger: Caller,
  nth: number,
): Promise<Climber> {
  const climber = await openClimber(stranger, server.now);
  const [first = ''] = center_ids;
  // A referee scans at most 60 codes an hour.
  await decide(victims.operator, climber, await recordClimb(climber, first, 0), { decision: 'confirm' });
  const refused = await recordClimb(climber, center_ids[nth] ?? '', 1);
  await decide(victims.staff, climber, refused, { decision: 'reject' });
  await appeal(climber, refused, canaries.make('appeal', nth));
  return climber;
}

/** A code that shows a referee another name than the server has. */
function makeCode({ canaries, center_ids }: World, climber: Climber, nth: number): string {
  const [first = ''] = center_ids;
  return signClimb(climber, planClimb(climber, first, 2), canaries.make('name in a code', nth));
}

async function editCenter({ server, canaries, victims, center_ids }: World, nth: number): Promise<void> {
  const path = `/v1/sport-centers/${center_ids[nth]}/details`;
  const { version } = await victims.staff.send<{ version: number }>('GET', path);
  await victims.staff.send('PATCH', path, {
    version,
    name: canaries.make('edited center name', nth),
    address: canaries.make('edited center address', nth),
    phone: `600 100 200; ${canaries.make('edited center phone', nth)}`,
    // The quote would end the attribute of a link.
    url: `https://${MAIL_HOST}/${canaries.isOneWord(nth) ? `#${canaries.make('edited center site', nth)}` : `"onclick="hit(${nth})`}`,
  });
  const hours_path = `/v1/sport-centers/${center_ids[nth]}/hours`;
  const hours = await victims.staff.send<{ version: number }>('GET', hours_path);
  // Today in every time zone.
  const [from, until] = [-1, 1].map((days) => new Date(server.now() + days * DAY_MS).toISOString().slice(0, 10));
  await victims.staff.send('PUT', hours_path, {
    version: hours.version,
    weekly: Array.from({ length: 7 }, () => [{ opens: '08:00', closes: '22:00' }]),
    closed_days: [{ from, until, reason: canaries.make('closed day', nth) }],
  });
}
