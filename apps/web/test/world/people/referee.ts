import type { Op } from '@sendlap/contract/activities.ts';
import type { Moments } from '../base/moments.ts';
import type { Notebook } from '../base/notebook.ts';
import type { Random } from '../base/random.ts';
import type { Page } from '../phone/page.ts';
import type { Person } from '../phone/phone.ts';

interface RefereeDeps {
  random: Random;
  moments: Moments;
  newId: () => string;
  notebook: Notebook;
}

/** Of how many confirmations the referee takes one back. */
const WITHDRAWAL_CHANCE = 0.3;

/** What a referee does with the app: confirms finished activities, each once, and takes some confirmations back. */
export function createReferee({ random, moments, newId, notebook }: RefereeDeps): Person {
  /** Activity (client_id) to the op of its scan. */
  const scanned = new Map<string, string>();
  const withdrawn = new Set<string>();

  function pickWithdrawal(): Op | null {
    const saved = [...scanned].filter(([id, op_id]) => !withdrawn.has(id) && notebook.actions.get(op_id)?.is_saved);
    const [first, ...others] = saved;
    if (!first || !random.chance(WITHDRAWAL_CHANCE)) return null;
    const [client_id, scan_op_id] = random.pick([first, ...others]);
    withdrawn.add(client_id);
    return { kind: 'withdraw', op_id: newId(), client_id, scan_op_id };
  }

  /** An athlete who has finished shows a code, whether or not the server knows. */
  function pickScan({ clock }: Page, wall_ms: number, is_online: boolean): Op | null {
    const shown = [...notebook.actions.values()].filter(
      ({ kind, client_id, is_saved }) => kind === 'finish' && is_saved && !scanned.has(client_id),
    );
    const [first, ...others] = shown;
    if (!first) return null;
    const { client_id, user_id } = random.pick([first, ...others]);
    const op_id = newId();
    scanned.set(client_id, op_id);
    const scanned_at = new Date(wall_ms).toISOString();
    const about = { op_id, client_id, decision: 'confirm', scanned_at, recorded_offline: !is_online } as const;
    return { kind: 'scan', ...about, clock: clock.clockReading(), payload: `${client_id}${user_id}` };
  }

  return {
    async save(page, { wallNow, isOnline }) {
      const user_id = page.shownUser();
      const op = user_id && (pickWithdrawal() ?? pickScan(page, wallNow(), isOnline()));
      if (!user_id || !op) return;
      const { kind, client_id } = op;
      const action = { user_id, kind, client_id, done_at: moments.now(), is_saved: false };
      notebook.actions.set(op.op_id, action);
      await page.outbox.saveOp(user_id, op);
      if (page.isAlive()) notebook.noteSaved(action);
    },

    async readRefusals({ outbox, rowsOf, shownUser }) {
      const user_id = shownUser();
      if (user_id === null) return;
      for (const { op_id, code, client_id } of (await rowsOf(user_id)).dead) {
        notebook.refused.set(op_id, { user_id, client_id, code });
        await outbox.store.discardDead(user_id, client_id);
      }
    },
  };
}
