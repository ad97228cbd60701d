import { pollUntil } from '../../apps/api/test/delays.ts';
import { befriend } from './people.ts';
import { listMistaken, type Mistake, plantMistake } from './plant.ts';
import { openPerson, type Scene, UNGUARDED } from './scene.ts';
import { type Finding, watchPage } from './watch.ts';

const MISTAKES: readonly Mistake[] = ['markup', 'link', 'code'];
/** What a canary does; to become markup or a link is only its way there. */
const ACTIONS: readonly Finding['how'][] = ['ran', 'requested', 'dialog', 'left the app', 'new window'];
const PATIENCE_MS = 10_000;
/** Nothing more happens to a planted page by then. */
const CALM_MS = 2_000;

export interface Planted {
  mistake: Mistake;
  /** Canaries of this disguise on the screen. */
  canaries: number;
  /** Those that the same counters found, without the policy. */
  found: number;
  missed: string[];
  /** Those that the page with the policy did not take for what they are not: their calm shows nothing. */
  unplanted: string[];
  /** Actions in spite of the policy. */
  actions: Finding[];
}

/** Plants each mistake on the screen of friends, whose names are canaries, without the policy and with it. */
export async function plantMistakes(scene: Scene): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const mistake of MISTAKES) {
    const names = scene.canaries.made.filter(({ channel, disguise }) => channel === 'name' && disguise === mistake);
    const isFoundIn = (findings: Finding[]) => (mark: number) => findings.some(({ what }) => what.includes(`${mark}`));
    const unguarded = await lookAtFriends(scene, mistake, false, ({ findings }) =>
      names.every(({ mark }) => isFoundIn(findings)(mark)),
    );
    const guarded = await lookAtFriends(scene, mistake, true, ({ mistaken }) =>
      names.every(({ mark }) => mistaken.has(mark)),
    );
    const listTexts = (isMissed: (mark: number) => boolean) =>
      names.filter(({ mark }) => isMissed(mark)).map(({ text }) => text);
    const missed = listTexts((mark) => !isFoundIn(unguarded.findings)(mark));
    const unplanted = listTexts((mark) => !guarded.mistaken.has(mark));
    const actions = guarded.findings.filter(({ how }) => ACTIONS.includes(how));
    const counts = { canaries: names.length, found: names.length - missed.length };
    planted.push({ mistake, ...counts, missed, unplanted, actions });
  }
  return planted;
}

interface Sight {
  findings: Finding[];
  /** Marks of the canaries with which the mistake was made. */
  mistaken: Set<number>;
}

/** Returns what the canaries did until `isEnough`; with the policy, and a while longer. */
async function lookAtFriends(
  scene: Scene,
  mistake: Mistake,
  has_policy: boolean,
  isEnough: (sight: Sight) => boolean,
): Promise<Sight> {
  const { context, caller } = await openPerson(scene, 'Pam', { ...UNGUARDED, bypassCSP: !has_policy });
  for (const stranger of scene.spread.strangers) await befriend(scene.operator, caller, stranger, scene.server.now());
  await plantMistake(context, mistake);
  const watched = await watchPage(context, scene.server.url, mistake);
  await watched.open('/friends');
  const { findings, page } = watched;
  const mistaken = new Set<number>();
  const look = async () => {
    await watched.inspect().catch(() => {});
    // A page that a canary has left has none; those from before count.
    for (const mark of await listMistaken(page).catch(() => [])) mistaken.add(mark);
    return isEnough({ findings, mistaken });
  };
  await pollUntil(look, { patience_ms: PATIENCE_MS, interval_ms: 200 });
  if (has_policy) await pollUntil(async () => (await look()) && false, { patience_ms: CALM_MS, interval_ms: 200 });
  await context.close();
  return { findings, mistaken };
}
