/** A step of an activity, or its undoing. */
export type ActivityStep = 'start' | 'finish' | 'undo_finish' | 'delete' | 'undo_delete';

/** A step that an athlete took. `is_saved`: the app said that it is saved; otherwise it may be, or may not. */
interface NotedStep {
  step: ActivityStep;
  is_saved: boolean;
}

/** The state of an activity on the server; `absent`: it has none. */
export type ActivityStatus = 'absent' | 'active' | 'finished' | 'deleted';

interface NotedActivity {
  user_id: string;
  steps: NotedStep[];
}

interface NotedMessage {
  user_id: string;
  is_saved: boolean;
}

/** What one life's athletes did, and what the app acknowledged as saved. */
export interface Notebook {
  /** By client_id. */
  readonly activities: ReadonlyMap<string, NotedActivity>;
  /** By their texts, of which each is used once. */
  readonly messages: ReadonlyMap<string, NotedMessage>;
  /** Starts, of which the app showed no activity, by user. */
  readonly unseen_starts: ReadonlyMap<string, number>;
  noteStep(user_id: string, client_id: string, step: ActivityStep, is_saved: boolean): void;
  noteUnseenStart(user_id: string): void;
  /** The app shows an activity: a start of which it had shown none, unless it is known. */
  noteSeen(user_id: string, client_id: string): void;
  noteMessage(user_id: string, text: string, is_saved: boolean): void;
  /** Returns the number of steps and messages that the app called saved. */
  acknowledged(): number;
}

export function openNotebook(): Notebook {
  const activities = new Map<string, NotedActivity>();
  const messages = new Map<string, NotedMessage>();
  const unseen_starts = new Map<string, number>();
  return {
    activities,
    messages,
    unseen_starts,
    noteStep(user_id, client_id, step, is_saved) {
      const activity = activities.get(client_id) ?? { user_id, steps: [] };
      activity.steps.push({ step, is_saved });
      activities.set(client_id, activity);
    },
    noteUnseenStart(user_id) {
      unseen_starts.set(user_id, (unseen_starts.get(user_id) ?? 0) + 1);
    },
    noteSeen(user_id, client_id) {
      const unseen = unseen_starts.get(user_id) ?? 0;
      if (activities.has(client_id) || unseen === 0) return;
      unseen_starts.set(user_id, unseen - 1);
      activities.set(client_id, { user_id, steps: [{ step: 'start', is_saved: true }] });
    },
    noteMessage(user_id, text, is_saved) {
      messages.set(text, { user_id, is_saved });
    },
    acknowledged() {
      const noted = [...[...activities.values()].flatMap(({ steps }) => steps), ...messages.values()];
      return noted.filter(({ is_saved }) => is_saved).length;
    },
  };
}

const AFTER: Record<Exclude<ActivityStep, 'undo_delete'>, (status: ActivityStatus) => ActivityStatus> = {
  start: () => 'active',
  finish: (status) => (status === 'active' ? 'finished' : status),
  undo_finish: (status) => (status === 'finished' ? 'active' : status),
  delete: (status) => (status === 'absent' ? 'absent' : 'deleted'),
};

/** Returns the states in which the server may have the activity once everything has arrived. */
export function allowedStatuses(steps: readonly NotedStep[]): Set<ActivityStatus> {
  let allowed: ActivityStatus[] = ['absent'];
  let before_delete = allowed;
  for (const { step, is_saved } of steps) {
    if (step === 'delete') before_delete = allowed;
    const after = step === 'undo_delete' ? before_delete : allowed.map(AFTER[step]);
    allowed = is_saved ? after : [...allowed, ...after];
  }
  return new Set(allowed);
}
