/** A step of an activity, or its undoing. */
export type ActivityStep = 'start' | 'finish' | 'undo_finish' | 'delete' | 'undo_delete';

/** When something happened, ms epoch by the server's clock. */
export interface TimeSpan {
  from_ms: number;
  until_ms: number;
}

/** The values that an athlete entered with a step. Missing values are not compared. */
export interface Entry {
  at?: TimeSpan | undefined;
  center_id?: string;
  sport_type?: string;
  /** Of a swim, metres: the lengths that the screen showed when the athlete finished. */
  distance_m?: number;
}

/** A step that an athlete took. `is_saved`: the app said that it is saved; otherwise it may be, or may not. */
export interface NotedStep {
  step: ActivityStep;
  is_saved: boolean;
  entry: Entry;
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
  /** The user on one phone: messages of one writer are in order. */
  writer: string;
}

export type Acknowledged = Record<ActivityStep | 'message', number>;

/** What one life's athletes did, and what the app acknowledged as saved. */
export interface Notebook {
  /** By client_id. */
  readonly activities: ReadonlyMap<string, NotedActivity>;
  /** By their texts, of which each is used once. */
  readonly messages: ReadonlyMap<string, NotedMessage>;
  /** Starts, of which the app showed no activity, by user. */
  readonly unseen_starts: ReadonlyMap<string, readonly Entry[]>;
  noteStep(user_id: string, client_id: string, step: ActivityStep, is_saved: boolean, entry?: Entry): void;
  noteUnseenStart(user_id: string, entry?: Entry): void;
  /** The app shows an activity: a start of which it had shown none, unless it is known. */
  noteSeen(user_id: string, client_id: string): void;
  noteMessage(user_id: string, text: string, is_saved: boolean, writer?: string): void;
  /** Returns the numbers of steps and messages that the app called saved. */
  acknowledged(): Acknowledged;
}

export function openNotebook(): Notebook {
  const activities = new Map<string, NotedActivity>();
  const messages = new Map<string, NotedMessage>();
  const unseen_starts = new Map<string, Entry[]>();
  return {
    activities,
    messages,
    unseen_starts,
    noteStep(user_id, client_id, step, is_saved, entry = {}) {
      const activity = activities.get(client_id) ?? { user_id, steps: [] };
      activity.steps.push({ step, is_saved, entry });
      activities.set(client_id, activity);
    },
    noteUnseenStart(user_id, entry = {}) {
      unseen_starts.set(user_id, [...(unseen_starts.get(user_id) ?? []), entry]);
    },
    noteSeen(user_id, client_id) {
      const unseen = unseen_starts.get(user_id) ?? [];
      const newest = unseen.at(-1);
      if (activities.has(client_id) || !newest) return;
      unseen_starts.set(user_id, unseen.slice(0, -1));
      const entry = { ...newest, at: spanOf(unseen) };
      activities.set(client_id, { user_id, steps: [{ step: 'start', is_saved: true, entry }] });
    },
    noteMessage(user_id, text, is_saved, writer = user_id) {
      messages.set(text, { user_id, is_saved, writer });
    },
    acknowledged() {
      const steps = [...activities.values()].flatMap((activity) => activity.steps).filter(({ is_saved }) => is_saved);
      const count = (kind: ActivityStep) => steps.filter(({ step }) => step === kind).length;
      return {
        start: count('start'),
        finish: count('finish'),
        undo_finish: count('undo_finish'),
        delete: count('delete'),
        undo_delete: count('undo_delete'),
        message: [...messages.values()].filter(({ is_saved }) => is_saved).length,
      };
    },
  };
}

/** Returns the time within which one of them began; undefined if a time is missing. */
function spanOf(entries: readonly Entry[]): TimeSpan | undefined {
  const spans = entries.flatMap(({ at }) => at ?? []);
  if (spans.length < entries.length) return;
  return {
    from_ms: Math.min(...spans.map(({ from_ms }) => from_ms)),
    until_ms: Math.max(...spans.map(({ until_ms }) => until_ms)),
  };
}

/** A state in which the server may have an activity. */
interface AllowedState {
  status: ActivityStatus;
  /** The finish that counts, of one that was ever finished. */
  finish?: Entry;
}

type Change = (state: AllowedState, entry: Entry) => AllowedState;

const AFTER: Record<Exclude<ActivityStep, 'undo_delete'>, Change> = {
  start: () => ({ status: 'active' }),
  finish: (state, finish) => (state.status === 'active' ? { status: 'finished', finish } : state),
  undo_finish: (state) => (state.status === 'finished' ? { status: 'active' } : state),
  delete: (state) => (state.status === 'absent' ? state : { ...state, status: 'deleted' }),
};

/** Returns the states in which the server may have the activity once everything has arrived. */
export function allowedStates(steps: readonly Omit<NotedStep, 'entry'>[] | readonly NotedStep[]): AllowedState[] {
  let allowed: AllowedState[] = [{ status: 'absent' }];
  let before_delete = allowed;
  for (const noted of steps) {
    const { step, is_saved } = noted;
    if (step === 'delete') before_delete = allowed;
    const entry = 'entry' in noted ? noted.entry : {};
    const after = step === 'undo_delete' ? before_delete : allowed.map((state) => AFTER[step](state, entry));
    allowed = is_saved ? after : [...allowed, ...after];
  }
  return allowed;
}

/** Returns only their statuses. */
export function allowedStatuses(steps: Parameters<typeof allowedStates>[0]): Set<ActivityStatus> {
  return new Set(allowedStates(steps).map(({ status }) => status));
}
