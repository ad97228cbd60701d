import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOperator } from '../apps/api/test/app/operator.ts';
import { startPushEndpoint } from '../apps/api/test/push-endpoint.ts';
import { startMailServer } from '../apps/api/test/servers/mail-server.ts';
import { CHANNELS, type Channel, IN_TARGETS, NEVER_TEXT, PAYLOAD_COUNT } from '../e2e/canaries/canaries.ts';
import { type Planted, plantMistakes } from '../e2e/canaries/mistakes.ts';
import { type Pushed, tapPushes } from '../e2e/canaries/pushes.ts';
import { fillScene, openBrowser, type Scene } from '../e2e/canaries/scene.ts';
import { type Walk, walkAll } from '../e2e/canaries/walk.ts';
import type { Finding } from '../e2e/canaries/watch.ts';
import { startServer } from '../e2e/server/server.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { prepareBrowser } from '../tools/programs/measure-in-browser.ts';
import { sized } from '../tools/programs/program-size.ts';

const PAYLOADS = sized(PAYLOAD_COUNT, 10);

interface Results {
  walks: Walk[];
  pushed: Pushed;
  planted: Planted[];
}

/**
 * Texts that run if a page takes them for markup, for an address or for code, through every text that a user, a file or
 * an address puts in front of another: names, codes, messages, centers, reports, appeals, mails, pushes. Every screen is
 * opened by a visitor, an athlete, a referee who manages centers, an operator and a kiosk, with its sheets, menus and
 * questions, and each form of the server's own pages is filled in, without the content security policy, which would hide
 * a mistake of the app. No canary may run, request anything or become markup, and each channel must be seen as text.
 * Control arms: the real screen of friends with the mistake planted, without the policy; with it, the policy alone must
 * stop the same canaries. And a worker that follows the address in a push.
 */
export async function run(): Promise<Figure[]> {
  await prepareBrowser();
  const sheet = openFigureSheet();
  await using opened = new AsyncDisposableStack();
  const scene = await openScene(opened);
  console.log(`${Math.round(process.uptime())} s: ${scene.canaries.made.length} canaries are out`);
  const walks = await walkAll(scene);
  const pushed = await tapPushes(scene);
  const planted = await plantMistakes(scene);
  const problems = findProblems(scene, walks, pushed, planted);
  for (const problem of problems) console.log(`   ! ${problem}`);
  addFigures(sheet, scene, { walks, pushed, planted });
  if (problems.length > 0) throw new Error(`${problems.length} problems`);
  return sheet.figures;
}

/** `opened`: closes all of it. */
async function openScene(opened: AsyncDisposableStack): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'sendlap-xss-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const endpoint = opened.adopt(await startPushEndpoint(), (one) => one.close());
  const mail = opened.adopt(await startMailServer(), (one) => one.close());
  const env = { PUSH_ALLOW_LOCAL: '1', SMTP_URL: mail.url, MAIL_FROM: 'sendlap@example.org' };
  const server = opened.adopt(await startServer({ env, is_printing: false }), (one) => one.remove());
  const operator = await openOperator(server.data_dir, () => new Date(server.now()));
  opened.defer(() => operator.close());
  const browser = opened.adopt(await openBrowser(), (one) => one.close());
  return fillScene({ server, operator, browser, folder, endpoint, mail, payloads: PAYLOADS });
}

/** Canaries that did something, and screens that did not show them. */
function findProblems({ canaries }: Scene, walks: Walk[], pushed: Pushed, planted: Planted[]): string[] {
  const describe = ({ how, where, what }: Finding) => `${where}: ${how}: ${what}`;
  const isUnseen = (channel: Channel) => !(channel in NEVER_TEXT) && canaries.countSeen(channel).seen === 0;
  const isWronglySeen = (channel: Channel) => channel in NEVER_TEXT && canaries.countSeen(channel).seen > 0;
  const unlinked = CHANNELS.filter((channel) => channel in IN_TARGETS && canaries.countSeen(channel).linked === 0);
  const unpushed = (['name', 'message', 'center name'] as const).filter((channel) => !pushed.shown.has(channel));
  return [
    ...walks.flatMap(({ findings, blind }) => [...findings.map(describe), ...blind]),
    ...pushed.outside.map((target) => `a tap on a notification led to ${target}`),
    ...planted.flatMap(({ actions }) => actions.map((action) => `in spite of the policy, ${describe(action)}`)),
    ...planted.flatMap(({ missed }) => missed.map((text) => `the control arm does not find ${text}`)),
    ...planted.flatMap(({ unplanted }) => unplanted.map((text) => `with the policy, nothing was planted in ${text}`)),
    ...CHANNELS.filter(isWronglySeen).map((channel) => `a screen showed a canary of: ${channel}`),
    ...unlinked.map((channel) => `no link had a canary of: ${channel}`),
    ...CHANNELS.filter(isUnseen).map((channel) => `no screen showed a canary of: ${channel}`),
    ...unpushed.map((channel) => `no notification showed a canary of: ${channel}`),
  ];
}

function addFigures(sheet: FigureSheet, { canaries }: Scene, { walks, pushed, planted }: Results): void {
  for (const channel of CHANNELS) {
    const { seen, linked, made } = canaries.countSeen(channel);
    const targets = channel in IN_TARGETS ? `, ${linked} in targets of links` : '';
    const note = NEVER_TEXT[channel] ?? IN_TARGETS[channel];
    const line = `${String(seen).padStart(4)} of ${String(made).padStart(3)} seen as text: ${channel}${targets}`;
    console.log(`  ${line}${note ? ` (${note})` : ''}`);
  }
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const findings = sum(walks.map((walk) => walk.findings.length));
  const screens = sum(walks.map((walk) => walk.screens));
  const parts = sum(walks.map((walk) => walk.parts));
  const places = `, on ${screens} screens and in ${parts} opened parts`;
  sheet.add('canaries that did anything', `${findings} of ${canaries.made.length}`, places);
  sheet.add('taps on notifications that led outside', `${pushed.outside.length} of ${pushed.taps}`);
  const actions = sum(planted.map((one) => one.actions.length));
  const names = sum(planted.map((one) => one.canaries));
  sheet.add('planted canaries that did anything in spite of the policy', `${actions} of ${names}`);
  for (const { mistake, canaries: count, found } of planted)
    sheet.control(`texts taken for ${mistake}`, count > 0 && found === count, `${found} of ${count} canaries found`);
  sheet.control('the address in a push followed', pushed.outside_if_accepted.length > 0, 'a tap led outside');
}
