import type { Op } from '@sendlap/contract/activities.ts';
import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import { type ActivityFacts, type ActivityTimes, CLOCK_UNSURE, type DeadOp } from '#web/shared/outbox/store/records.ts';
import type { Mistake } from '../base/mistakes.ts';
import type { Moments } from '../base/moments.ts';
import type { Notebook } from '../base/notebook.ts';
import type { See } from '../base/sights.ts';
import type { Page } from '../phone/page.ts';
import type { Person } from '../phone/phone.ts';
import type { ModelActivities } from '../server/model-activities.ts';
import { CENTER } from '../server/model-kiosk.ts';

interface AthleteDeps {
  moments: Moments;
  newId: () => string;
  see: See;
  mistake: Mistake | undefined;
  notebook: Notebook;
  activities: ModelActivities;
  /** The code (base64url) of the kiosk in front of the athlete; null without one. */
  readKiosk: () => Promise<string | null>;
}

const LATE_WRITE_MS = 500;
/** How often an athlete sends a refused activity again. */
const MAX_RETRIES = 3;

/** What an athlete does with the app: starts and finishes by turns, and answers what it asks. */
export function createAthlete({ moments, newId, see, mistake, notebook, activities, readKiosk }: AthleteDeps): Person {
  const retries = new Map<string, number>();

  async function findRunning({ rowsOf }: Page, user_id: string): Promise<string | null> {
    const here = (await rowsOf(user_id)).activities;
    const running = here.find(({ ended_at }) => ended_at === null)?.client_id ?? activities.findRunning(user_id);
    // The server does not have its finish yet.
    return here.some(({ client_id, ended_at }) => client_id === running && ended_at !== null) ? null : running;
  }

  /** Resolves when the app says that it is saved. */
  async function save(page: Page): Promise<void> {
    const { outbox, clock, shownUser, isAlive } = page;
    const user_id = shownUser();
    if (user_id === null) return;
    const running = await findRunning(page, user_id);
    const payload = await readKiosk();
    const at = toTimestamp(clock.correctedNow());
    const about = {
      op_id: newId(),
      client_id: running ?? newId(),
      ...(payload === null ? {} : { venue_scan: { payload, scanned_at: at } }),
    };
    const place = { sport_center_id: CENTER, sport_type: 'swimming' } as const;
    const op: Op =
      running === null
        ? { kind: 'start', ...about, ...place, started_at: at }
        : { kind: 'finish', ...about, ended_at: at };
    const started_at = activities.find(about.client_id)?.started_at ?? at;
    const facts: ActivityFacts = { ...place, sport_center_name: 'Pool', started_at, intensity: null };
    const action = { user_id, kind: op.kind, client_id: op.client_id, done_at: moments.now(), is_saved: false };
    notebook.actions.set(op.op_id, action);
    const tellSaved = () => {
      if (isAlive()) notebook.noteSaved(action);
    };
    if (mistake === 'saved before written') {
      tellSaved();
      moments.after(LATE_WRITE_MS, () => void outbox.saveOp(user_id, op, { facts }).catch(() => {}));
      return;
    }
    await outbox.saveOp(user_id, op, { facts });
    tellSaved();
  }

  function nearestTimes({ client_id, proposals = [] }: DeadOp) {
    const actions = [...notebook.actions.values()].filter((action) => action.client_id === client_id);
    const errorOf = (kind: Op['kind'], at: string | null) => {
      const action = actions.findLast((one) => one.kind === kind);
      return action && at !== null ? Math.abs(Date.parse(at) - action.done_at) : 0;
    };
    const distance = ({ started_at, ended_at }: ActivityTimes) =>
      errorOf('start', started_at) + errorOf('finish', ended_at);
    const [nearest] = proposals.toSorted((one, other) => distance(one) - distance(other));
    if (!nearest) return {};
    const { started_at, ended_at } = nearest;
    return ended_at === null ? { started_at } : { started_at, ended_at };
  }

  /** Answers the app's questions, and reads what the server refused. */
  async function readRefusals({ outbox, rowsOf, shownUser }: Page): Promise<void> {
    const user_id = shownUser();
    if (user_id === null) return;
    const dead = (await rowsOf(user_id)).dead;
    for (const { op_id, client_id, code } of dead) notebook.refused.set(op_id, { user_id, client_id, code });
    for (const [client_id, rows] of Map.groupBy(dead, (row) => row.client_id)) {
      const question = rows.find(({ code }) => code === CLOCK_UNSURE);
      see(question ? 'question of time' : 'dead letter');
      if (question) notebook.asked.add(client_id);
      const tries = retries.get(client_id) ?? 0;
      retries.set(client_id, tries + 1);
      if (tries >= MAX_RETRIES || !notebook.asked.has(client_id)) {
        const steps = [...notebook.actions].filter(([, one]) => one.user_id === user_id && one.client_id === client_id);
        for (const [op_id] of steps) notebook.discarded.add(op_id);
        await outbox.store.discardDead(user_id, client_id);
      } else await outbox.retryDead(user_id, client_id, question ? nearestTimes(question) : {});
    }
  }

  return { save, readRefusals };
}
