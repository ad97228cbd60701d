import type { Op } from '@sendlap/contract/activities.ts';
import type { Moments } from './moments.ts';
import type { openPage } from './page.ts';
import type { Sight } from './sights.ts';

interface PhoneDeps {
  open: () => ReturnType<typeof openPage>;
  moments: Moments;
  newId: () => string;
  signedIn: () => string;
  see: (sight: Sight) => void;
  /** The athlete reads "saved" before it is on disk. */
  says_saved_first: boolean;
}

const LATE_WRITE_MS = 500;

/** One athlete's phone: starts and finishes by turns, and the app that crashes and opens again. */
export async function createPhone({ open, moments, newId, signedIn, see, says_saved_first }: PhoneDeps) {
  /** Op id to the user whom the app told that it is saved. */
  const saved = new Map<string, string>();
  const running = new Map<string, string>();
  let page = await open();

  function nextOp(active: string | undefined): Op {
    const about = { op_id: newId(), client_id: active ?? newId() };
    const at = new Date(moments.now()).toISOString();
    if (active !== undefined) return { kind: 'finish', ...about, ended_at: at };
    return { kind: 'start', ...about, sport_center_id: newId(), sport_type: 'swimming', started_at: at };
  }

  async function save(): Promise<void> {
    const [user_id, { outbox }] = [signedIn(), page];
    const active = running.get(user_id);
    const op = nextOp(active);
    if (says_saved_first) moments.after(LATE_WRITE_MS, () => void outbox.saveOp(user_id, op).catch(() => {}));
    else await outbox.saveOp(user_id, op);
    saved.set(op.op_id, user_id);
    if (active === undefined) running.set(user_id, op.client_id);
    else running.delete(user_id);
  }

  async function restart(): Promise<void> {
    see(page.crash() ? 'crash while sending' : 'crash');
    page = await open();
    page.outbox.handleUserChange();
  }

  return { saved, save, restart, page: () => page };
}
