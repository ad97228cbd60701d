const KINDS = ['lost', 'doubled', 'altered', 'sent_as_another', 'wrong_sign_outs', 'stuck', 'falsely_saved'] as const;
type Kind = (typeof KINDS)[number];

const ACTS = ['start', 'finish', 'undo_finish', 'delete', 'undo_delete', 'message'] as const;
type Act = (typeof ACTS)[number];
/** Acts that hardly any life lacks; a long run has all of them. */
const USUAL_ACTS: readonly Act[] = ['start', 'finish', 'delete', 'message'];

/** What a screen says that the server has. */
const CLAIMS = ['start', 'finish', 'message'] as const;
type Claim = (typeof CLAIMS)[number];

/** One life's figures. */
interface LifeFigures {
  plan: { seed: number; trouble: string; portal_status: number };
  report: { damage: Record<Kind, number>; lines: readonly string[] };
  acknowledged: Record<Act, number>;
  right_refusals: number;
  claims: Record<Claim, number>;
  hardships: Record<Hardship, number>;
}

const HARDSHIPS = {
  flips: 'turns of a network',
  lost: 'lost requests',
  cut: 'cut replies',
  hung: 'hanging requests',
  late: 'requests 30 s late',
  rare_losses: 'breaks of 3 % of the requests',
  portal_pages: 'pages of a portal',
  redirects: 'redirects of a portal',
  browser_kills: 'kills of a browser',
  server_kills: 'kills of a server',
  full_devices: 'full devices',
  failed_upgrades: 'failed upgrades of the copies',
  versions: 'new versions taken',
  syncs: 'sync events without a page',
  clock_changes: 'clocks set',
  offline_clock_changes: 'clocks set before an act without a network',
  user_changes: "other users over an owner's unsent work",
  second_phones: 'second phones',
} as const;
type Hardship = keyof typeof HARDSHIPS;

/** Of a long run. */
const LEAST_FLIPS = 200;
/** The average of a life. An app that refuses to save loses nothing. */
const LEAST_ACKNOWLEDGED = 3;

const NAME_WIDTH = 28;
const WIDTHS = [7, 14, 9, 6, 9, 9, 12, 11, 7, 12];

export function damageOf({ report }: Pick<LifeFigures, 'report'>): number {
  return KINDS.reduce((sum, kind) => sum + report.damage[kind], 0);
}

export function printLife(life: LifeFigures): void {
  const { plan, report } = life;
  const damage = damageOf(life) === 0 ? 'no damage' : `DAMAGE: ${report.lines.join('; ')}`;
  const seconds = Math.round(process.uptime());
  console.log(`${seconds} s: life ${plan.seed}, ${plan.trouble}: ${countAcknowledged([life])} acknowledged, ${damage}`);
}

/** Prints a row a trouble. */
export function printTroubles(lives: readonly LifeFigures[]): void {
  printRow('', [
    'lives',
    'acknowledged',
    'refused',
    'lost',
    'doubled',
    'altered',
    'as another',
    'sign-outs',
    'stuck',
    'false saved',
  ]);
  const groups = Map.groupBy(lives, ({ plan }) => plan.trouble);
  for (const [trouble, group] of [...groups].sort(([one], [other]) => one.localeCompare(other))) {
    const of = (read: (life: LifeFigures) => number) => group.reduce((sum, life) => sum + read(life), 0);
    const damage = KINDS.map((kind) => of(({ report }) => report.damage[kind]));
    printRow(trouble, [group.length, countAcknowledged(group), of((life) => life.right_refusals), ...damage]);
  }
}

function printRow(name: string, cells: readonly (string | number)[]): void {
  const padded = cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 8));
  console.log(name.padEnd(NAME_WIDTH) + padded.join(''));
}

interface Sheet {
  add(name: string, text: string): void;
}

/** Adds the figures of all lives. */
export function sumUp(sheet: Sheet, lives: readonly LifeFigures[]): void {
  const sum = (read: (life: LifeFigures) => number) => lives.reduce((total, life) => total + read(life), 0);
  const met = countMet(lives);
  const described = listHardships().map((hardship) => `${met[hardship]} ${HARDSHIPS[hardship]}`);
  const damage = KINDS.map((kind) => `${sum(({ report }) => report.damage[kind])} ${kind.replaceAll('_', ' ')}`);
  sheet.add('damage', `${damage.join(', ')} of ${countAcknowledged(lives)} acknowledged`);
  sheet.add('lived', `${lives.length} lives, ${sum((life) => life.right_refusals)} overlaps of two phones`);
  sheet.add(
    'acknowledged',
    ACTS.map((act) => `${sum((life) => life.acknowledged[act])} ${act.replace('_', ' of a ')}`).join(', '),
  );
  sheet.add('met', described.join(', '));
  const claims = CLAIMS.map((claim) => `${sum((life) => life.claims[claim])} of a ${claim}`);
  sheet.add('"on the server"', claims.join(', '));
}

function countAcknowledged(lives: readonly Pick<LifeFigures, 'acknowledged'>[]): number {
  return lives.reduce((total, life) => total + ACTS.reduce((sum, act) => sum + life.acknowledged[act], 0), 0);
}

/** Returns how often the lives met each hardship. */
function countMet(lives: readonly LifeFigures[]): Record<Hardship, number> {
  const sum = (hardship: Hardship) => lives.reduce((total, { hardships }) => total + hardships[hardship], 0);
  return Object.fromEntries(listHardships().map((hardship) => [hardship, sum(hardship)])) as Record<Hardship, number>;
}

interface Demands {
  long: boolean;
  /** A long run meets each of them. */
  portal_statuses: readonly number[];
}

/** Returns why lives without damage show nothing: a hardship that never came up, or an app that hardly saved. */
export function whyNothingIsShown(lives: readonly LifeFigures[], { long, portal_statuses }: Demands): string[] {
  const met = countMet(lives);
  const reasons = listHardships()
    .filter((hardship) => met[hardship] === 0)
    .map((hardship) => `no ${HARDSHIPS[hardship]}`);
  const acknowledged = countAcknowledged(lives);
  if (acknowledged < LEAST_ACKNOWLEDGED * lives.length)
    reasons.push(`only ${acknowledged} acknowledged in ${lives.length} lives`);
  for (const act of long ? ACTS : USUAL_ACTS)
    if (lives.every((life) => life.acknowledged[act] === 0))
      reasons.push(`no acknowledged ${act.replace('_', ' of a ')}`);
  for (const claim of CLAIMS)
    if (lives.every(({ claims }) => claims[claim] === 0)) reasons.push(`no word of a ${claim} on the server`);
  if (!long) return reasons;
  if (met.flips > 0 && met.flips < LEAST_FLIPS) reasons.push(`only ${met.flips} ${HARDSHIPS.flips}`);
  const portals = lives.filter(({ hardships }) => hardships.portal_pages > 0);
  const seen = new Set(portals.map(({ plan }) => plan.portal_status));
  for (const status of portal_statuses) if (!seen.has(status)) reasons.push(`no portal with status ${status}`);
  return reasons;
}

function listHardships(): Hardship[] {
  return Object.keys(HARDSHIPS) as Hardship[];
}
