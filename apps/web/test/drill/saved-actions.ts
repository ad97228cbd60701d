import type { Op } from '@sendlap/contract/activities.ts';
import type { Page } from './page.ts';

const MINUTE_MS = 60_000;
/** The activities of a phone begin two minutes apart from here on. */
const FIRST_ACTIVITY_AGE_MS = 6 * 1440 * MINUTE_MS;

/** What the app called saved: an op of an activity, or a message. */
export interface Action {
  kind: 'start' | 'finish' | 'message';
  /** `op_id` of an op, `client_id` of a message. */
  id: string;
  /** The activity, or the chat. */
  about: string;
  /** How often the server has said that it has it. */
  acknowledged: number;
  /** The server had it when the database was destroyed. */
  was_acknowledged: boolean;
}

export interface ActionsOptions {
  chat_id: string;
  center: { id: string; sport: 'climbing' | 'swimming' };
}

interface ActionsDeps extends ActionsOptions {
  page: () => Page;
  userId: () => string;
}

/** What the athlete of a phone does with the app, one activity of a minute after another, and messages. */
export function createActions({ chat_id, center, page, userId }: ActionsDeps) {
  const actions = new Map<string, Action>();
  let moment = Date.now() - FIRST_ACTIVITY_AGE_MS;
  let running: { client_id: string; started_at: string } | null = null;

  function note({ kind, id, about }: Pick<Action, 'kind' | 'id' | 'about'>): void {
    actions.set(id, { kind, id, about, acknowledged: 0, was_acknowledged: false });
  }

  async function saveOp(op: Op & { kind: 'start' | 'finish' }, started_at: string): Promise<void> {
    const place = { sport_center_id: center.id, sport_center_name: 'Center', sport_type: center.sport };
    note({ kind: op.kind, id: op.op_id, about: op.client_id });
    await page().outbox.saveOp(userId(), op, { facts: { ...place, started_at, intensity: null } });
  }

  return {
    actions,
    acknowledge(id: string): void {
      const action = actions.get(id);
      if (action) action.acknowledged += 1;
    },
    async begin(): Promise<void> {
      const started_at = new Date(moment).toISOString();
      const client_id = crypto.randomUUID();
      running = { client_id, started_at };
      const about = { client_id, sport_center_id: center.id, sport_type: center.sport, started_at };
      await saveOp({ kind: 'start', op_id: crypto.randomUUID(), ...about }, started_at);
    },
    async finish(): Promise<void> {
      if (!running) return;
      const { client_id, started_at } = running;
      const ended_at = new Date(moment + MINUTE_MS).toISOString();
      moment += 2 * MINUTE_MS;
      running = null;
      await saveOp({ kind: 'finish', op_id: crypto.randomUUID(), client_id, ended_at }, started_at);
    },
    async write(): Promise<void> {
      const client_id = crypto.randomUUID();
      note({ kind: 'message', id: client_id, about: chat_id });
      const text = `message ${client_id}`;
      await page().outbox.saveMessage({ client_id, user_id: userId(), chat_id, to_name: 'Bo', text });
    },
    /** The server is gone for good: notes what it had acknowledged. */
    noteAcknowledged(): void {
      for (const action of actions.values()) action.was_acknowledged = action.acknowledged > 0;
    },
  };
}
