import { pollUntil } from '../../apps/api/test/delays.ts';
import { befriend } from './people.ts';
import { type Mistake, plantMistake } from './plant.ts';
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
  /** Actions in spite of the policy. */
  actions: Finding[];
}

/** Plants each mistake on the screen of friends, whose names are canaries, without the policy and with it. */
export async function plantMistakes(scene: Scene): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const mistake of MISTAKES) {
    const names = scene.canaries.made.filter(({ channel, disguise }) => channel === 'name' && disguise === mistake);
    const isFoundIn = (findings: Finding[]) => (mark: number) => findings.some(({ what }) => what.includes(`${mark}`));
    const unguarded = await lookAtFriends(scene, mistake, false, (findings) =>
      names.every(({ mark }) => isFoundIn(findings)(mark)),
    );
    const guarded = await lookAtFriends(scene, mistake, true, () => false);
    const missed = names.filter(({ mark }) => !isFoundIn(unguarded)(mark)).map(({ text }) => text);
    const actions = guarded.filter(({ how }) => ACTIONS.includes(how));
    planted.push({ mistake, canaries: names.length, found: names.length - missed.length, missed, actions });
  }
  return planted;
}

/** Returns what the canaries did until `isEnough`. */
async function lookAtFriends(
  scene: Scene,
  mistake: Mistake,
  has_policy: boolean,
  isEnough: (findings: Finding[]) => boolean,
): Promise<Finding[]> {
  const { context, caller } = await openPerson(scene, 'Pam', { ...UNGUARDED, bypassCSP: !has_policy });
  for (const stranger of scene.spread.strangers) await befriend(scene.operator, caller, stranger, scene.server.now());
  await plantMistake(context, mistake);
  const watched = await watchPage(context, scene.server.url, mistake);
  await watched.open('/friends');
  const hasEnough = async () => {
    await watched.inspect().catch(() => {});
    return isEnough(watched.findings);
  };
  await pollUntil(hasEnough, { patience_ms: has_policy ? CALM_MS : PATIENCE_MS, interval_ms: 200 });
  await context.close();
  return watched.findings;
}
