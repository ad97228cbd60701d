import type { Page } from '@playwright/test';
import { pollUntil } from '../../apps/api/test/delays.ts';
import { openApp, watchTab } from '../browser/tab.ts';
import { activityPath, progressOf } from './activity-page.ts';
import type { Holder } from './cast.ts';
import { checkActivityClaim } from './claims.ts';
import { answerClockQuestions } from './clock-question.ts';
import { openHome } from './incidents.ts';
import type { Life } from './life.ts';
import { resolveOverlap } from './overlap.ts';
import { judgeResolution } from './overlap-verdict.ts';
import { isEverythingSent, type PhoneRows, readPhoneRows } from './phone-rows.ts';
import { readServerRows } from './server-rows.ts';
import { isOverlapCode, judge } from './verdict.ts';

const SENT_WITHIN_MS = 15_000;
/** On the page of an activity that runs again, or that the athlete did not keep. */
const NOT_FINISHED_HERE = /^(Finish|Activity not found|This activity is not on this device)$/;

/** The good time begins, for one phone after the other. Returns the number of right refusals. */
export async function endLife(life: Life): Promise<number> {
  const { plan, scene, user_ids } = life;
  life.scene.trace.tell(`ending: ${plan.ending}`);
  const holders = plan.first_back === 0 ? life.holders : life.holders.toReversed();
  const settled: { holder: Holder; rows: PhoneRows }[] = [];
  for (const holder of holders) settled.push({ holder, rows: await settle(life, holder) });
  for (const each of settled) each.rows = await answerQuestions(life, each.holder, each.rows);
  for (const each of settled) each.rows = await lookAgain(life, each.holder, each.rows);
  const server = await readServerRows(scene.operator, user_ids);
  const phones = settled.map(({ rows }) => rows);
  const right_refusals = judge({ notebook: scene.notebook, server, phones }, scene.report);
  for (const { holder, rows } of settled) await resolveOverlaps(life, holder, rows);
  await lookAtClaims(life);
  return right_refusals;
}

/** Returns what the phone still has after 15 s of good network. */
async function settle({ plan, scene }: Life, { phone, person }: Holder): Promise<PhoneRows> {
  const { server, report } = scene;
  switch (plan.ending) {
    case 'cold_start':
      await phone.close();
      await phone.network.set('good');
      await phone.start();
      await openHome(phone, server);
      break;
    case 'online':
      await phone.network.set('no_network');
      await phone.network.set('good');
      break;
    case 'front':
      await phone.network.set('good');
      await phone.page().evaluate(comeBack);
      break;
    case 'wait':
      await phone.network.set('good');
      break;
    case 'no_page':
      await phone.leaveApp();
      await phone.network.set('good');
      await phone.fireSync();
  }
  const page = phone.page();
  let rows = await waitUntilSent(page);
  if (!isEverythingSent(rows)) scene.trace.tell(`not sent: ${JSON.stringify(rows)}; locks: ${await listLocks(page)}`);
  if (plan.ending === 'no_page' && rows.sealed > 0) {
    // Only a page opens what a sign-out has sealed.
    await openHome(phone, server);
    rows = await waitUntilSent(page);
  }
  const end = await openApp(watchTab(page), server.url);
  if (end === 'logged_out') report.add('wrong_sign_outs', `${person.name} at the end`);
  if (end === 'stuck') report.add('stuck', 'the app gets no answer at the end');
  return rows;
}

async function waitUntilSent(page: Page): Promise<PhoneRows> {
  await pollUntil(async () => isEverythingSent(await readPhoneRows(page)), {
    patience_ms: SENT_WITHIN_MS,
    interval_ms: 200,
  });
  return readPhoneRows(page);
}

/** Who sends, or waits for it: pages and the worker send under locks. */
function listLocks(page: Page): Promise<string> {
  return page.evaluate(async () => JSON.stringify(await navigator.locks.query()));
}

async function answerQuestions(life: Life, holder: Holder, rows: PhoneRows): Promise<PhoneRows> {
  if (rows.dead.length === 0) return rows;
  await answerClockQuestions(life, holder);
  return { ...rows, dead: (await readPhoneRows(holder.phone.page())).dead };
}

/** What waited for the end of an activity on the other phone is sent once that has arrived. */
async function lookAgain({ scene }: Life, { phone }: Holder, rows: PhoneRows): Promise<PhoneRows> {
  if (rows.dead.length === 0) return rows;
  await openHome(phone, scene.server);
  const hasRefusals = async () => (await readPhoneRows(phone.page())).dead.length > 0;
  await pollUntil(async () => !(await hasRefusals()), { patience_ms: SENT_WITHIN_MS, interval_ms: 200 });
  const { dead, activities } = await readPhoneRows(phone.page());
  return { ...rows, dead, activities };
}

/** The athlete says what counts of activities at the same time: then nothing may be left over. */
async function resolveOverlaps(
  { scene, random }: Life,
  { phone, person }: Holder,
  { dead, activities }: PhoneRows,
): Promise<void> {
  const readActivities = async () => (await readServerRows(scene.operator, [person.user_id])).activities;
  const client_ids = new Set(dead.filter(({ code }) => isOverlapCode(code)).map(({ client_id }) => client_id));
  const page = phone.page();
  for (const client_id of client_ids) {
    const before = await readActivities();
    const choice = await resolveOverlap(page, scene.server, { client_id, may_merge: random.chance(0.6) });
    const isSolved = async () => {
      const rows = await readPhoneRows(page);
      return isEverythingSent(rows) && !rows.dead.some((op) => op.client_id === client_id);
    };
    const is_solved = await pollUntil(isSolved, { patience_ms: SENT_WITHIN_MS, interval_ms: 200 });
    if (!is_solved) scene.report.add('stuck', `the overlap of ${client_id} after "${choice}"`);
    const own = activities.find((activity) => activity.client_id === client_id);
    if (own) judgeResolution({ choice, own, before, after: await readActivities() }, scene.report);
  }
}

/** Once all has arrived, the screens say so: of the last finished activity of each phone. */
async function lookAtClaims({ scene, holders }: Life): Promise<void> {
  for (const holder of holders) {
    const page = holder.phone.page();
    const client_id = holder.person.finished.at(-1);
    if (client_id === undefined) continue;
    await page.goto(scene.server.url + activityPath(client_id), { waitUntil: 'commit' });
    const claim = progressOf(page).getByText('The server has it.');
    const is_told = await claim
      .or(page.getByText(NOT_FINISHED_HERE))
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      );
    if (!is_told) scene.report.add('stuck', `the screen does not say that the server has ${client_id}`);
    await checkActivityClaim(holder, scene, holders.length);
  }
}

/** Runs in the page. */
function comeBack(): void {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}
