import type { Sport } from '@sendlap/domain/sports.ts';
/** The state of one activity, recomputed from the full list of its accepted ops each time. */
export interface Facts {
  center: string;
  sport: Sport;
  started: number;
  ended: number | null;
  /** Seconds. */
  paused: number;
  intensity: 'easy' | 'moderate' | 'hard' | null;
  confirmed: boolean;
  distance: number | null;
}

export interface Given {
  op_id: string;
  /** null: the kiosk. */
  scanner: string | null;
  method: 'peer' | 'venue' | 'referee';
  decision: 'confirm' | 'reject';
  scanned: number;
  step: number | null;
  facts: Facts;
  received: number;
  /** Later than `received` if the scan had to wait. */
  decided: number;
}

export type Action =
  | { kind: 'start'; facts: Facts; venue: number | null; note: string | null }
  | {
      kind: 'finish';
      ended: number;
      paused: number;
      intensity?: Facts['intensity'];
      distance: number | null;
      note: string | null;
    }
  | { kind: 'reopen' }
  | { kind: 'edit'; at: number; facts: Facts; leaves_center: boolean }
  | { kind: 'delete' }
  | { kind: 'appeal'; at: number }
  | { kind: 'decide'; given: Given }
  /** `keep`: the athlete's own times overlap by now with another activity, so the proven times become their own. */
  | { kind: 'withdraw'; op_id: string; at: number; keep: boolean };

export interface View {
  own: Facts;
  /** The facts that count. */
  facts: Facts;
  status: 'active' | 'finished' | 'validated' | 'rejected' | 'deleted';
  standing: Given | null;
  /** The standing decision when the appeal was made; kept after it. */
  appealed_about: Given | null;
  /** A rejection that is in force or whose appeal is still open; also of a deleted activity. */
  rejection: Given | null;
  given: Given[];
  edited: number | null;
  appealed: number | null;
  venue: number | null;
  note: string | null;
}

interface Story {
  own: Facts;
  finished: boolean;
  deleted: boolean;
  given: Given[];
  withdrawn: Map<string, number>;
  edited: number | null;
  appealed: number | null;
  venue: number | null;
  note: string | null;
}

/** Returns undefined as long as there is no start. */
export function look(actions: readonly Action[]): View | undefined {
  let story: Story | undefined;
  for (const action of actions) story = tell(story, action);
  return story && viewOf(story);
}

function tell(story: Story | undefined, action: Action): Story | undefined {
  if (action.kind === 'start') {
    const { facts: own, venue, note } = action;
    const nothing = { finished: false, deleted: false, given: [], withdrawn: new Map(), edited: null, appealed: null };
    return { ...nothing, own, venue, note };
  }
  if (!story) return undefined;
  switch (action.kind) {
    case 'finish': {
      const { ended, paused, distance, note } = action;
      const own = { ...story.own, ended, paused, distance, intensity: action.intensity ?? story.own.intensity };
      return { ...story, own, note, finished: true };
    }
    case 'reopen': {
      const of_finish = story.note === 'venue_scan_missing' || story.venue !== null;
      const own = { ...story.own, ended: null, paused: 0, distance: null };
      return { ...story, own, finished: false, note: of_finish ? null : story.note };
    }
    case 'edit': {
      const edited = Math.max(story.edited ?? action.at, action.at);
      const moved = action.leaves_center && story.venue !== null ? { venue: null, note: 'venue_other_center' } : {};
      return { ...story, own: action.facts, edited, ...moved };
    }
    case 'delete':
      return { ...story, deleted: true };
    case 'appeal':
      return { ...story, appealed: action.at };
    case 'decide':
      return { ...story, given: [...story.given, action.given] };
    case 'withdraw': {
      const own = action.keep ? { ...viewOf(story).facts, confirmed: false } : story.own;
      return { ...story, own, withdrawn: new Map([...story.withdrawn, [action.op_id, action.at]]) };
    }
  }
}

function viewOf(story: Story): View {
  const { own, given, edited, appealed, venue, note } = story;
  const appealed_about = appealed === null ? null : beforeAppeal(story, appealed);
  const standing = standingOf(story);
  const asked = standing ?? appealed_about;
  const rejection = asked?.decision === 'reject' ? asked : null;
  const base = { own, facts: own, standing: null, appealed_about, rejection, given, edited, appealed, venue, note };
  if (story.deleted) return { ...base, standing: standing?.decision === 'reject' ? standing : null, status: 'deleted' };
  if (!story.finished) return { ...base, status: 'active' };
  if (!standing) return { ...base, status: 'finished' };
  if (standing.decision === 'reject') return { ...base, standing, status: 'rejected' };
  return { ...base, standing, facts: standing.facts, status: 'validated' };
}

const STRENGTH = { peer: 1, venue: 2, referee: 3 };
const before = (a: { scanned: number; op_id: string }, b: { scanned: number; op_id: string }) =>
  a.scanned < b.scanned || (a.scanned === b.scanned && a.op_id < b.op_id);
const beats = (a: Given, b: Given) => (a.method === b.method ? before(a, b) : STRENGTH[a.method] > STRENGTH[b.method]);

/**
 * Returns whether the decision confirms facts that the athlete changed after the scan; an edit never removes a
 * rejection.
 */
export function isOutdated(one: Given, { edited }: Pick<View, 'edited'>): boolean {
  return one.decision === 'confirm' && edited !== null && one.scanned < edited;
}

function standingOf(story: Pick<Story, 'given' | 'withdrawn' | 'edited' | 'appealed'>): Given | null {
  const { appealed, withdrawn } = story;
  const current = story.given.filter((one) => !isOutdated(one, story));
  if (appealed === null) return winner(current, withdrawn);
  const late = current.filter((one) => one.scanned >= appealed);
  const first = beforeAppeal(story, appealed);
  if (first?.decision !== 'reject') return winner(first ? [first, ...late] : late, withdrawn);
  return winner(
    late.filter((one) => one.method === 'referee' && one.scanner !== first.scanner),
    withdrawn,
  );
}

function beforeAppeal(story: Parameters<typeof standingOf>[0], appealed: number): Given | null {
  const early = story.given.filter((one) => !isOutdated(one, story) && one.scanned < appealed);
  return winner(early, story.withdrawn);
}

/**
 * Returns the strongest decision. If it was withdrawn: the strongest of those that its scanner sent since, or that were
 * scanned later.
 */
function winner(all: Given[], withdrawn: Map<string, number>): Given | null {
  const best = all.find((one) => all.every((other) => other === one || beats(one, other)));
  if (!best) return null;
  const taken_back = withdrawn.get(best.op_id);
  if (taken_back === undefined) return best;
  const left = all.filter((one) => one !== best);
  const isSentAgain = ({ scanner, received }: Given) =>
    scanner !== null && scanner === best.scanner && received >= taken_back;
  const counts = (one: Given) => one.scanned >= taken_back || isSentAgain(one);
  return winner(left.filter(counts), withdrawn);
}

/** Returns the view as it would be with one more decision. */
export function wouldStand(actions: readonly Action[], given: Given): View | undefined {
  return look([...actions, { kind: 'decide', given }]);
}

/** Returns whether an earlier scan already used up a code of this time step. */
export function isReplayed(
  { given }: View,
  scan: { scanned: number; op_id: string; step: number } & Pick<Given, 'method' | 'decision'>,
): boolean {
  const used = given.filter((one) => STRENGTH[one.method] >= STRENGTH[scan.method] && before(one, scan));
  return used.some(
    ({ step, decision }) =>
      step !== null && step >= scan.step && (scan.decision === 'confirm' || decision === 'reject'),
  );
}
