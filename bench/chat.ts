import { setTimeout as pause } from 'node:timers/promises';
import type { CommitCounts, Memory, People } from '../apps/api/test/measured/chat.ts';
import type { ChatAudit } from '../apps/api/test/measured/chat-audit.ts';
import { EJABBERD_HOST, EJABBERD_PASSWORD, startEjabberds } from '../apps/api/test/measured/ejabberd.ts';
import { listMessages, sendMessage } from '../packages/contract/src/chats.ts';
import { EVENTS_PATH } from '../packages/contract/src/events.ts';
import { MESSAGE_PAGE_SIZE } from '../packages/domain/src/messages.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { measureInBrowser } from '../tools/programs/measure-in-browser.ts';
import { sized } from '../tools/programs/program-size.ts';
import type { ChatFigure } from './load/chat-cannon.ts';
import { type ChatLoad, openChatLoad } from './load/chat-load.ts';
import type { HttpChat, HttpEnd } from './load/http-slots.ts';
import { cpuTime } from './load/measured-server.ts';
import { timePage, timePages } from './load/message-pages.ts';
import { endServers, forkServer, type LoadedServer, order } from './load/path-load.ts';
import { median, quantile } from './load/print.ts';
import { timeSyncs } from './load/time-syncs.ts';

const RECEIVERS = sized(1_000, 50);
/** Enough that the limit of 60 messages a minute for each lasts for all rounds. */
const SENDERS_EACH = 4;
const XMPP_SENDERS = 100;
const IN_FLIGHT = sized(300, 20);
/** Additional streams of each receiver. */
const MORE_STREAMS = 3;
const ROUNDS = sized(3, 1);
const ROUND_S = 2;
/** Until every sender has called once, as real apps have by then, and the code is compiled. */
const WARM_S = 3;
const PACE = { what: 'pace', per_s: sized(1_000, 100), duration_s: sized(10, 2) } as const;
const SYNCS_S = sized(3, 1);
const FAR_PAGE = 200;
const CHATS = sized(20, 1);
const MESSAGES_EACH = sized(50_000, 10_000);
/** Until the load's garbage is collected and its tables are vacuumed: PostgreSQL checks once a minute. */
const REST_MS = sized(65_000, 1_000);
const CHAT_APP = new URL('../apps/api/test/measured/chat.ts', import.meta.url);

/**
 * Messages, durable and delivered, next to ejabberd with and without its archive in PostgreSQL and next to an echo that
 * stores nothing, all with 1,000 receivers, alternating; from sending to arriving at 1,000/s; the memory of an idle
 * stream; pages of a chat among a million messages. Throws if a message is lost or arrives twice.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const app = await forkServer(CHAT_APP);
  const echo = await forkServer(new URL('../apps/api/test/measured/chat-echo.ts', import.meta.url));
  const arms: Arms = {};
  let endPeers = async (): Promise<void> => {};
  try {
    const people = await order<People>(app, { what: 'people', receivers: RECEIVERS, senders_each: SENDERS_EACH });
    arms.sendlap = await openApp(sheet, app, people);
    arms.echo = await openEcho(echo);
    const peers = await startEjabberds(RECEIVERS + XMPP_SENDERS);
    if ('missing' in peers) sheet.skipPeer('ejabberd', peers.missing);
    else {
      endPeers = peers.end;
      arms.plain = await openEjabberd(peers.plain);
      arms.archive = await openEjabberd(peers.archive);
    }
    const cpu_before = await cpuTime(app.child);
    await order<CommitCounts>(app, { what: 'commits' });
    const [warm = {}, ...rounds] = await saturate(arms);
    const { commits, messages } = await order<CommitCounts>(app, { what: 'commits' });
    printRatios(sheet, rounds);
    const sent = [warm, ...rounds].reduce((sum, { sendlap }) => sum + (sendlap?.sent ?? 0), 0);
    const cpu_us = (await cpuTime(app.child)) - cpu_before;
    console.log(
      `     (${(messages / commits).toFixed(1)} messages a commit, ${(cpu_us / sent).toFixed(0)} µs of the server's CPU each)`,
    );
    await keepPace(sheet, arms);
    printAudit(await order<ChatAudit>(app, { what: 'audit' }));
    // The next measurements have a single caller, without any other load.
    for (const load of Object.values(arms)) load.close();
    await endPeers();
    endPeers = async () => {};
    await measurePages(sheet, app, people);
  } finally {
    for (const load of Object.values(arms)) load.close();
    await endServers([app, echo]);
    await endPeers();
  }
  await measureScreens(sheet);
  return sheet.figures;
}

type Name = 'sendlap' | 'echo' | 'plain' | 'archive';
type Arms = Partial<Record<Name, ChatLoad>>;

const NAMES: Record<Name, string> = {
  sendlap: 'Sendlap',
  echo: 'echo, nothing kept',
  plain: 'ejabberd, no archive',
  archive: 'ejabberd, archive in PostgreSQL',
};

const portOf = ({ url }: LoadedServer): number => Number(new URL(url).port);

async function openApp(sheet: FigureSheet, app: LoadedServer, { senders, receivers }: People): Promise<ChatLoad> {
  const streams: HttpEnd[] = receivers.map((token) => ({ path: EVENTS_PATH, token }));
  const targets: HttpEnd[] = senders.map(({ chat_id, token }) => ({
    path: sendMessage.path.replace(':chat_id', chat_id),
    token,
  }));
  const chat = { port: portOf(app), targets, streams, connections: IN_FLIGHT };
  const load = await openChatLoad({ what: 'http', chat });
  await measureIdleStreams(sheet, app, {
    ...chat,
    streams: Array.from({ length: MORE_STREAMS }, () => streams).flat(),
  });
  return load;
}

/** Opened in addition to existing streams, which have already used the server's spare memory. */
async function measureIdleStreams(sheet: FigureSheet, app: LoadedServer, chat: HttpChat): Promise<void> {
  const before = await order<Memory>(app, { what: 'memory' });
  const more = await openChatLoad({ what: 'http', chat });
  const after = await order<Memory>(app, { what: 'memory' });
  more.close();
  const kb = (of: keyof Memory) => (after[of] - before[of]) / 1024 / chat.streams.length;
  sheet.goal('an idle stream, resident', kb('rss_bytes'), { at_most: 20 }, ' KB');
  console.log(
    `     (${kb('heap_bytes').toFixed(1)} KB of it in JavaScript's heap; ${chat.streams.length} more streams)`,
  );
}

function openEcho(echo: LoadedServer): Promise<ChatLoad> {
  const names = Array.from({ length: RECEIVERS }, (_, nth) => nth);
  const streams = names.map((name) => ({ path: `/stream/${name}` }));
  const targets = names.map((name) => ({ path: `/messages/${name}` }));
  return openChatLoad({ what: 'http', chat: { port: portOf(echo), targets, streams, connections: IN_FLIGHT } });
}

function openEjabberd(port: number): Promise<ChatLoad> {
  const accounts = { host: EJABBERD_HOST, password: EJABBERD_PASSWORD, receivers: RECEIVERS, senders: XMPP_SENDERS };
  return openChatLoad({ what: 'xmpp', chat: { port, in_flight: IN_FLIGHT, ...accounts } });
}

type Round = Partial<Record<Name, ChatFigure>>;

/** The first round warms up. */
async function saturate(arms: Arms): Promise<Round[]> {
  const rounds: Round[] = [];
  console.log(`\n${IN_FLIGHT} messages on their way at a time, ${RECEIVERS} receivers; messages/s, p50/p99 in ms`);
  for (let nth = 0; nth <= ROUNDS; nth += 1) {
    const round: Round = {};
    for (const [name, load] of Object.entries(arms) as [Name, ChatLoad][]) {
      round[name] = await load.run({ what: 'saturate', duration_s: nth === 0 ? WARM_S : ROUND_S });
    }
    rounds.push(round);
    const cells = (Object.entries(round) as [Name, ChatFigure][]).map(([name, figure]) => toCell(name, figure));
    console.log(`${nth === 0 ? 'warm' : `${nth}   `}  ${cells.join('    ')}`);
  }
  return rounds;
}

function toCell(name: Name, { acknowledged_per_s, p50_ms, p99_ms }: ChatFigure): string {
  return `${NAMES[name]} ${acknowledged_per_s.toFixed(0)}, ${p50_ms.toFixed(0)}/${p99_ms.toFixed(0)}`;
}

function printRatios(sheet: FigureSheet, rounds: Round[]): void {
  const per_s = (name: Name) => median(rounds.map((round) => round[name]?.acknowledged_per_s ?? 0));
  const beside = (peer: Name) =>
    median(rounds.map(({ sendlap, [peer]: other }) => (sendlap?.acknowledged_per_s ?? 0) / perSecond(other)));
  sheet.add('durable sends', `${per_s('sendlap').toFixed(0)}/s`);
  if (rounds[0]?.archive) sheet.goal('  beside ejabberd with its archive', beside('archive'), { at_least: 5 });
  if (rounds[0]?.plain) sheet.goal('  beside ejabberd without archive', beside('plain'), { at_least: 0.8 });
  sheet.goal('  beside an echo that stores nothing and checks no caller', beside('echo'), { at_least: 0.5 });
}

function perSecond(figure: ChatFigure | undefined): number {
  return figure?.acknowledged_per_s || Number.POSITIVE_INFINITY;
}

/**
 * Alternates several times: a single pause of a tenth of a second is all that p99 leaves out of ten seconds. Syncs of the
 * disk show how much of it no commit can avoid.
 */
async function keepPace(sheet: FigureSheet, arms: Arms): Promise<void> {
  console.log(
    `\n${PACE.per_s.toLocaleString('en')}/s for ${PACE.duration_s} s, from sending to arriving; p50/p99 in ms`,
  );
  const rounds: Round[] = [];
  for (let nth = 1; nth <= ROUNDS; nth += 1) {
    const round: Round = {};
    for (const [name, load] of Object.entries(arms) as [Name, ChatLoad][]) round[name] = await load.run(PACE);
    rounds.push(round);
    const cells = (Object.entries(round) as [Name, ChatFigure][]).map(
      ([name, { p50_ms, p99_ms }]) => `${NAMES[name]} ${p50_ms.toFixed(1)}/${p99_ms.toFixed(1)}`,
    );
    const syncs = timeSyncs(SYNCS_S);
    cells.push(`syncs of the disk alone ${quantile(syncs, 0.5).toFixed(1)}/${quantile(syncs, 0.99).toFixed(1)}`);
    console.log(`${nth}     ${cells.join('    ')}`);
  }
  sheet.goal('Sendlap, p99', median(rounds.map(({ sendlap }) => sendlap?.p99_ms ?? 0)), { at_most: 30 }, ' ms');
}

function printAudit({ messages, with_gaps, wrong_counters }: ChatAudit): void {
  console.log(`${messages} messages stored; chats with gaps ${with_gaps}, with a wrong counter ${wrong_counters}`);
  if (with_gaps + wrong_counters > 0) throw new Error('the rows do not agree with their numbers');
}

/**
 * A million messages next to a few in another app, all written before any page is read; the pages alternate. So the
 * comparison leaves out work that an app still has to do after the load and the writes.
 */
async function measurePages(sheet: FigureSheet, app: LoadedServer, people: People): Promise<void> {
  const small = await forkServer(CHAT_APP);
  try {
    const friends = await order<People>(small, { what: 'people', receivers: 1, senders_each: 1 });
    const few = await fillChat(small, friends, 1, FAR_PAGE * MESSAGE_PAGE_SIZE);
    const many = await fillChat(app, people, CHATS, MESSAGES_EACH);
    await pause(REST_MS);
    printPages(sheet, await timePages([few.first, many.first, many.far_offset, many.far_cursor], MESSAGE_PAGE_SIZE));
  } finally {
    await endServers([small]);
  }
}

/** Adds so many messages to each of so many chats; returns pages of the last chat. */
async function fillChat(app: LoadedServer, { senders }: People, chats: number, messages: number) {
  const chat = senders.at(-1);
  if (!chat) throw new Error('there is no chat');
  const { token } = chat;
  const url = `${app.url}${listMessages.path.replace(':chat_id', chat.chat_id)}`;
  await order(app, { what: 'history', chats, messages });
  const { last_seq } = await timePage({ url, token }, 1);
  return {
    first: { url: `${url}?offset=0`, token },
    far_offset: { url: `${url}?offset=${(FAR_PAGE - 1) * MESSAGE_PAGE_SIZE}`, token },
    far_cursor: { url: `${url}?before=${last_seq - (FAR_PAGE - 1) * MESSAGE_PAGE_SIZE + 1}`, token },
  };
}

function printPages(sheet: FigureSheet, [small = [], page = [], by_offset = [], by_cursor = []]: number[][]): void {
  console.log(`\npages of ${MESSAGE_PAGE_SIZE}, a million messages, one caller; p50/p99 in ms`);
  const cells = { '1': page, '200 by offset': by_offset, '200 by cursor': by_cursor, '1 beside few': small };
  for (const [name, times] of Object.entries(cells)) {
    console.log(`     page ${name}: ${quantile(times, 0.5).toFixed(2)}/${quantile(times, 0.99).toFixed(2)}`);
  }
  sheet.goal('page 1, p99', quantile(page, 0.99), { at_most: 5 }, ' ms');
  sheet.goal('page 200 by cursor, p99', quantile(by_cursor, 0.99), { at_most: 5 }, ' ms');
  sheet.goal('page 200 by cursor beside page 1', median(by_cursor) / median(page), { at_most: 1.25 });
  sheet.goal('page 1 beside the same with few messages', median(page) / median(small), { at_most: 1.5 });
}

/** The output of e2e/measured/chat.ts: milliseconds from the Enter key to the text on the other person's screen. */
interface Screens {
  shown_ms: number[];
}

async function measureScreens(sheet: FigureSheet): Promise<void> {
  const { shown_ms } = await measureInBrowser<Screens>('e2e/measured/chat.ts', 'CHAT-ON-SCREENS ');
  console.log('');
  sheet.goal('sent to shown on the other screen, 95 %', quantile(shown_ms, 0.95), { at_most: 150 }, ' ms');
  console.log(`     (${shown_ms.length} messages in Chromium, median ${median(shown_ms).toFixed(0)} ms)`);
}
