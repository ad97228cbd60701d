const KINDS = ['lost', 'doubled', 'sent_as_another', 'wrong_sign_outs', 'stuck', 'falsely_saved'] as const;
type Kind = (typeof KINDS)[number];

/** One life's figures. */
interface LifeFigures {
  plan: { seed: number; trouble: string };
  report: { damage: Record<Kind, number>; lines: readonly string[] };
  acknowledged: number;
  right_refusals: number;
  hardships: Record<Hardship, number>;
}

const HARDSHIPS = {
  flips: 'turns of a network',
  lost: 'lost requests',
  cut: 'cut replies',
  delayed: 'delayed requests',
  foreign: 'answers of a portal',
  browser_kills: 'kills of a browser',
  server_kills: 'kills of a server',
  full_devices: 'full devices',
  failed_upgrades: 'failed upgrades of the copies',
  versions: 'new versions taken',
  syncs: 'sync events without a page',
  clock_changes: 'clocks set',
  user_changes: 'other users on the phone',
  second_phones: 'second phones',
} as const;
type Hardship = keyof typeof HARDSHIPS;

const NAME_WIDTH = 28;
const WIDTHS = [7, 14, 9, 6, 9, 12, 11, 7, 12];

export function damageOf({ report }: Pick<LifeFigures, 'report'>): number {
  return KINDS.reduce((sum, kind) => sum + report.damage[kind], 0);
}

export function printLife(life: LifeFigures): void {
  const { plan, report, acknowledged } = life;
  const damage = damageOf(life) === 0 ? 'no damage' : `DAMAGE: ${report.lines.join('; ')}`;
  const seconds = Math.round(process.uptime());
  console.log(`${seconds} s: life ${plan.seed}, ${plan.trouble}: ${acknowledged} acknowledged, ${damage}`);
}

/** Prints a row a trouble. */
export function printTroubles(lives: readonly LifeFigures[]): void {
  printRow('', [
    'lives',
    'acknowledged',
    'refused',
    'lost',
    'doubled',
    'as another',
    'sign-outs',
    'stuck',
    'false saved',
  ]);
  const groups = Map.groupBy(lives, ({ plan }) => plan.trouble);
  for (const [trouble, group] of [...groups].sort(([one], [other]) => one.localeCompare(other))) {
    const of = (read: (life: LifeFigures) => number) => group.reduce((sum, life) => sum + read(life), 0);
    const damage = KINDS.map((kind) => of(({ report }) => report.damage[kind]));
    printRow(trouble, [group.length, of((life) => life.acknowledged), of((life) => life.right_refusals), ...damage]);
  }
}

function printRow(name: string, cells: readonly (string | number)[]): void {
  const padded = cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 8));
  console.log(name.padEnd(NAME_WIDTH) + padded.join(''));
}

interface Sheet {
  add(name: string, text: string): void;
}

/** Adds the figures of all lives. Returns how often they met each hardship. */
export function sumUp(sheet: Sheet, lives: readonly LifeFigures[]): Record<Hardship, number> {
  const sum = (read: (life: LifeFigures) => number) => lives.reduce((total, life) => total + read(life), 0);
  const met = Object.fromEntries(
    listHardships().map((hardship) => [hardship, sum(({ hardships }) => hardships[hardship])]),
  ) as Record<Hardship, number>;
  const described = listHardships().map((hardship) => `${met[hardship]} ${HARDSHIPS[hardship]}`);
  const damage = KINDS.map((kind) => `${sum(({ report }) => report.damage[kind])} ${kind.replaceAll('_', ' ')}`);
  sheet.add('damage', `${damage.join(', ')} of ${sum((life) => life.acknowledged)} acknowledged`);
  sheet.add('lived', `${lives.length} lives, ${sum((life) => life.right_refusals)} overlaps of two phones`);
  sheet.add('met', described.join(', '));
  return met;
}

/** Returns the names of those that never came up: of them, the lives show nothing. */
export function missingHardships(met: Record<Hardship, number>): string[] {
  return listHardships()
    .filter((hardship) => met[hardship] === 0)
    .map((hardship) => HARDSHIPS[hardship]);
}

function listHardships(): Hardship[] {
  return Object.keys(HARDSHIPS) as Hardship[];
}
