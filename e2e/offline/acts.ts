import type { Locator, Page } from '@playwright/test';
import type { Operator } from '../../apps/api/test/app/operator.ts';
import { messageField, panelOf, waitForStepBack } from '../screens/chat-page.ts';
import type { Server } from '../server/server.ts';
import type { ActivityStep, Notebook } from './notebook.ts';
import type { Person } from './person.ts';
import type { Phone } from './phone.ts';
import { readPhoneRows } from './phone-rows.ts';
import { readServerRows } from './server-rows.ts';
import type { Trace } from './trace.ts';
import type { DamageReport } from './verdict.ts';

/** One life's world. */
export interface Scene {
  server: Server;
  operator: Operator;
  /** Where the athletes train. */
  center_id: string;
  friend_name: string;
  notebook: Notebook;
  report: DamageReport;
  trace: Pick<Trace, 'tell'>;
}

/** Who acts, and where. `interrupt`: begins with the tap, and ends once the phone is killed. */
export interface Actor {
  phone: Phone;
  person: Person;
  interrupt?: (() => Promise<void>) | undefined;
}

const UNDO_TIMEOUT_MS = 3_000;
const TRAINING_MS = 1_100;

interface Tap {
  tap: () => Promise<unknown>;
  /** Resolves once the screen has answered, with whether it says that the step is saved. */
  acknowledged: () => Promise<boolean>;
}

/** Returns whether the app said that the step is saved. Throws if the screen says nothing, unless it was interrupted. */
async function perform({ interrupt }: Actor, { tap, acknowledged }: Tap): Promise<boolean> {
  const work = async () => {
    await tap();
    return acknowledged();
  };
  if (!interrupt) return work();
  // Of a killed browser, some promises are never settled.
  const interrupted = interrupt();
  const is_saved = await Promise.race([work().catch(() => false), interrupted.then(() => false)]);
  await interrupted;
  return is_saved;
}

/** Resolves with true at the sight of the one, with false at the other's. */
async function whichComes(saved: Locator, refused: Locator): Promise<boolean> {
  await saved.or(refused).first().waitFor();
  return saved.first().isVisible();
}

/** What a screen says while it waits for an answer, and what it says when there is neither an answer nor a copy. */
const TELLS_OF_NO_COPY =
  /^(This takes longer than usual|This center is not on this device|This center could not be loaded|Error loading chats)/;

/**
 * Waits for a sight that needs a copy. Returns false if the phone has lost its copies and says that it has nothing to
 * show: without copies it may show nothing, but not for ever, and not without a word.
 */
async function comes(place: Pick<Page, 'getByText'>, sight: Locator, { lacks_copies }: Person): Promise<boolean> {
  if (lacks_copies) return whichComes(sight, place.getByText(TELLS_OF_NO_COPY));
  await sight.first().waitFor();
  return true;
}

/** As `whichComes`, for a step whose refusal a toast tells, which the athlete then closes. */
async function isSaved(page: Page, saved: Locator): Promise<boolean> {
  const told = page.getByText(/^(The storage of this device is full|This device could not save it|It could not be)/);
  const is_saved = await whichComes(saved, told);
  if (!is_saved) await page.locator('[data-base-ui-portal] button[aria-label=Close]').first().click();
  return is_saved;
}

const activityPath = (client_id: string) => `/activities/${client_id}`;
const idOf = (page: Page) => /^\/activities\/([\w-]{36})$/.exec(new URL(page.url()).pathname)?.[1] ?? null;

/** What every finished activity shows, and no running one. */
const progressOf = (page: Page) => page.getByRole('region', { name: 'Progress' });

async function goTo({ phone }: Actor, { server }: Scene, path: string): Promise<Page> {
  const page = phone.page();
  if (new URL(page.url()).pathname !== path) await page.goto(server.url + path, { waitUntil: 'commit' });
  return page;
}

/** Starts to swim; if an activity runs, the center's page leads to it. */
export async function start(actor: Actor, scene: Scene): Promise<void> {
  const { person } = actor;
  const page = await goTo(actor, scene, `/sport-centers/${scene.center_id}`);
  const finish = page.getByRole('button', { name: 'Finish' });
  const button = page.getByRole('button', { name: 'Start swimming' });
  const busy = page.getByRole('link', { name: /^An activity is already running/ });
  if (!(await comes(page, button.or(busy), person))) return;
  if (await busy.isVisible()) {
    await busy.click();
    await finish.waitFor();
    person.running = idOf(page);
    if (person.running) scene.notebook.noteSeen(person.user_id, person.running);
    return;
  }
  const is_saved = await perform(actor, {
    tap: () => button.click(),
    acknowledged: () => isSaved(page, finish),
  });
  const client_id = is_saved ? idOf(page) : null;
  if (client_id === null) return scene.notebook.noteUnseenStart(person.user_id);
  person.running = client_id;
  await noteStep(actor, scene, client_id, 'start', true);
  if (!actor.phone.isRunning()) return;
  const claims_server = await page.getByText('Saved on the server').isVisible();
  if (claims_server && !(await isOnServer(scene, person, client_id, 'start')))
    scene.report.add('falsely_saved', `start of ${client_id}, "Saved on the server"`);
  // An activity lasts at least a second, by whole seconds; the next one must not begin within it.
  await page.waitForFunction((until) => Date.now() > until, await page.evaluate((ms) => Date.now() + ms, TRAINING_MS));
}

export async function finish(actor: Actor, scene: Scene): Promise<void> {
  const { person } = actor;
  const { running } = person;
  if (running === null) return start(actor, scene);
  const page = await goTo(actor, scene, activityPath(running));
  const button = page.getByRole('button', { name: 'Finish' });
  const finished = progressOf(page);
  await button.or(finished).first().waitFor();
  person.running = null;
  person.finished.push(running);
  // A finish of which the phone was killed before it was acknowledged.
  if (await finished.isVisible()) return;
  const is_saved = await perform(actor, {
    tap: () => button.click(),
    acknowledged: () => isSaved(page, finished),
  });
  await noteStep(actor, scene, running, 'finish', is_saved);
  if (is_saved) person.undoable = { act: 'finish', client_id: running };
  else resume(person, running);
}

/** The screens decide whether it still runs. */
function resume(person: Person, client_id: string): void {
  person.running = client_id;
  person.finished = person.finished.filter((id) => id !== client_id);
}

/** Undoes the last finish or deletion, if its time is not over; otherwise acts as `instead` says. */
export async function undo(
  actor: Actor,
  scene: Scene,
  act: 'finish' | 'delete',
  instead: typeof finish,
): Promise<void> {
  const { person, phone } = actor;
  const { undoable } = person;
  if (undoable?.act !== act) return instead(actor, scene);
  const { client_id } = undoable;
  const page = phone.page();
  const button = page.getByRole('button', { name: 'Undo' });
  await button.waitFor({ timeout: UNDO_TIMEOUT_MS }).catch(() => {});
  if (!(await button.isVisible())) return;
  const undone =
    act === 'finish'
      ? page.getByRole('button', { name: 'Finish' })
      : page.locator(`a[href="${activityPath(client_id)}"]`);
  let is_too_late = false;
  const is_saved = await perform(actor, {
    tap: () =>
      button.click({ timeout: UNDO_TIMEOUT_MS }).catch(() => {
        // A kill may have come after the tap.
        is_too_late = phone.isRunning();
      }),
    async acknowledged() {
      if (is_too_late) return false;
      const is_undone = await whichComes(undone, page.getByText('Too late to undo'));
      is_too_late = !is_undone;
      return is_undone;
    },
  });
  if (is_too_late) return;
  await noteStep(actor, scene, client_id, act === 'finish' ? 'undo_finish' : 'undo_delete', is_saved);
  if (act === 'finish') resume(person, client_id);
  else person.finished.push(client_id);
}

/** Deletes the newest finished activity. */
export async function remove(actor: Actor, scene: Scene): Promise<void> {
  const { person } = actor;
  const client_id = person.finished.at(-1);
  if (client_id === undefined) return finish(actor, scene);
  const page = await goTo(actor, scene, activityPath(client_id));
  const button = page.getByRole('button', { name: 'Delete', exact: true });
  const running = page.getByRole('button', { name: 'Finish' });
  const gone = page.getByText(
    /^(Activity not found|This activity is not on this device|The activity could not be loaded)$/,
  );
  await progressOf(page).or(running).or(gone).first().waitFor();
  if (await running.isVisible()) return resume(person, client_id);
  person.finished.pop();
  // A refused one has a card of its own, on which the end of the life acts.
  if (!(await button.isVisible())) return;
  const is_saved = await perform(actor, {
    tap: () => button.click(),
    acknowledged: () => isSaved(page, page.getByText(/^Deleted/)),
  });
  await noteStep(actor, scene, client_id, 'delete', is_saved);
  if (is_saved) person.undoable = { act: 'delete', client_id };
  else person.finished.push(client_id);
}

/** Opens the panel at the chat with this friend, which a minimized panel still shows. Returns false as `comes` does. */
export async function openChat(page: Page, name: string, person: Person): Promise<boolean> {
  await page.locator('[data-chat-launcher]').click();
  const row = panelOf(page).getByRole('button', { name: new RegExp(name) });
  if (!(await comes(panelOf(page), row.or(messageField(page)), person))) return false;
  if (!(await messageField(page).isVisible())) await row.click();
  await messageField(page).waitFor();
  return true;
}

/** Writes to the friend. */
export async function writeMessage(actor: Actor, scene: Scene): Promise<void> {
  const { person, phone } = actor;
  const page = phone.page();
  const text = `Message ${crypto.randomUUID().slice(0, 8)}`;
  if (await openChat(page, scene.friend_name, person)) await send(actor, scene, text);
  if (!phone.isRunning()) return;
  await page.keyboard.press('Escape');
  await waitForStepBack(page);
}

async function send(actor: Actor, scene: Scene, text: string): Promise<void> {
  const { person, phone } = actor;
  const page = phone.page();
  await messageField(page).fill(text);
  const is_saved = await perform(actor, {
    tap: () => messageField(page).press('Enter'),
    acknowledged: () =>
      whichComes(
        page.locator('textarea:placeholder-shown + button[aria-busy=false]'),
        panelOf(page).getByText('Failed to send message'),
      ),
  });
  scene.trace.tell(`message "${text}": ${is_saved ? 'saved' : 'perhaps saved'}`);
  scene.notebook.noteMessage(person.user_id, text, is_saved);
  if (is_saved && phone.isRunning()) await checkMessage(actor, scene, text);
}

async function noteStep(
  actor: Actor,
  scene: Scene,
  client_id: string,
  step: ActivityStep,
  is_saved: boolean,
): Promise<void> {
  const { person, phone } = actor;
  scene.trace.tell(`${step} of ${client_id}: ${is_saved ? 'saved' : 'perhaps saved'}`);
  scene.notebook.noteStep(person.user_id, client_id, step, is_saved);
  person.undoable = null;
  if (!is_saved || step === 'undo_delete' || !phone.isRunning()) return;
  const kind = step === 'undo_finish' ? 'reopen' : step;
  const { ops, dead } = await readPhoneRows(phone.page());
  if ([...ops, ...dead].some((op) => op.client_id === client_id && op.kind === kind)) return;
  if (!(await isOnServer(scene, person, client_id, kind))) scene.report.add('falsely_saved', `${step} of ${client_id}`);
}

async function isOnServer({ operator }: Scene, { user_id }: Person, client_id: string, kind: string): Promise<boolean> {
  const { ops } = await readServerRows(operator, [user_id]);
  return ops.some((op) => op.activity_id === client_id && op.kind === kind);
}

async function checkMessage({ person, phone }: Actor, { operator, report }: Scene, text: string): Promise<void> {
  const { messages } = await readPhoneRows(phone.page());
  if (messages.some((message) => message.text === text)) return;
  const { messages: sent } = await readServerRows(operator, [person.user_id]);
  if (!sent.some((message) => message.text === text)) report.add('falsely_saved', `message "${text}"`);
}
