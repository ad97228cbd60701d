import type { Page } from '@playwright/test';
import { activityPath, addLength, enterEnd, idOf, progressOf } from './activity-page.ts';
import type { ActivityStep, Entry, TimeSpan } from './notebook.ts';
import type { Person } from './person.ts';
import { readPhoneRows } from './phone-rows.ts';
import { readServerRows } from './server-rows.ts';
import { type Actor, comes, isSaved, perform, type Scene, whichComes } from './taps.ts';

const UNDO_TIMEOUT_MS = 3_000;
const TRAINING_MS = 1_100;

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
  const { is_saved, at } = await perform(actor, scene, {
    tap: () => button.click(),
    acknowledged: () => isSaved(page, finish),
  });
  const entry = { at, center_id: scene.center_id, sport_type: 'swimming' };
  const client_id = is_saved ? idOf(page) : null;
  if (client_id === null) return scene.notebook.noteUnseenStart(person.user_id, entry);
  person.running = client_id;
  await noteStep(actor, scene, { client_id, step: 'start', is_saved: true, entry });
  if (!actor.phone.isRunning()) return;
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
  const distance_m = await addLength(page, running);
  let entered: TimeSpan | undefined;
  const { is_saved, at } = await perform(actor, scene, {
    tap: () => button.click(),
    async acknowledged() {
      entered = await enterEnd(page, scene.server, finished);
      return isSaved(page, finished);
    },
  });
  await noteStep(actor, scene, {
    client_id: running,
    step: 'finish',
    is_saved,
    entry: { at: entered ?? at, distance_m },
  });
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
  const { is_saved } = await perform(actor, scene, {
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
  const step = act === 'finish' ? 'undo_finish' : 'undo_delete';
  await noteStep(actor, scene, { client_id, step, is_saved });
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
  const { is_saved } = await perform(actor, scene, {
    tap: () => button.click(),
    acknowledged: () => isSaved(page, page.getByText(/^Deleted/)),
  });
  await noteStep(actor, scene, { client_id, step: 'delete', is_saved });
  if (is_saved) person.undoable = { act: 'delete', client_id };
  else person.finished.push(client_id);
}

interface TakenStep {
  client_id: string;
  step: ActivityStep;
  is_saved: boolean;
  entry?: Entry;
}

async function noteStep(actor: Actor, scene: Scene, { client_id, step, is_saved, entry }: TakenStep): Promise<void> {
  const { person, phone } = actor;
  scene.trace.tell(`${step} of ${client_id}: ${is_saved ? 'saved' : 'perhaps saved'}`);
  scene.notebook.noteStep(person.user_id, client_id, step, is_saved, entry);
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
