import { isBelowOnePerson, isTooCheap, type PlayedCheat } from '../apps/api/test/fair-proof/cheat-outcome.ts';
import { FAIR_PROOF_PATCHES, NEW_RULES, STRICT_PATCHES } from '../apps/api/test/fair-proof/fair-proof-patches.ts';
import type { ClubKind } from '../apps/api/test/fair-proof/honest-club.ts';
import { EACH_ACCOUNT_COUNTS, liveHonestly, type Tally } from '../apps/api/test/fair-proof/honest-weeks.ts';
import type { FairProofOrder, FairProofReport } from '../apps/api/test/fair-proof/play-all.ts';
import type { ReplayedWeeks } from '../apps/api/test/fair-proof/replay-honest-weeks.ts';
import { type Figure, type FigureSheet, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { runForReport } from '../tools/programs/run-for-report.ts';

const HONEST_WEEKS = sized(10_000, 500);
const CLUBS_ON_SERVER = sized(60, 10);
const CONTROL_WEEKS = 200;
const CONTROL_CLUBS = 10;
const SEED = 1;
/** Of the tables in `docs/fair-proof.md`. */
const CHEAT_COLUMNS =
  "| cheat | accounts | codes read | people at the center | rights | public boards | friends' boards | shield | before the rules | refused or limited by | review |";
const HONEST_COLUMNS =
  '| club | weeks | activities | refused | confirmed again later | on public boards only after a referee | the same before the rules | reviews |';

/**
 * Cheats with modified clients against the real app on the real PostgreSQL: none reaches a public board with less than a
 * code read at the kiosk for each account and visit, or a referee's right. And honest clubs by the same rules, some also
 * on that app: none is refused. Two goals are missed and shown as missed: a person at the center for each account and
 * visit, and no extra step for honest people. Control arms: each rule removed lets its cheat gain; a rule of the server that
 * is too strict, and clocks a minute off, refuse honest people.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const { cheats, honest: on_server } = await play({ clubs: CLUBS_ON_SERVER, seed: SEED });
  const before = (await play({ clubs: 0, seed: SEED, without: NEW_RULES })).cheats;
  const changed = printCheats(cheats, before);
  sheet.add('cheats that gained more before the rules', `${changed} of ${cheats.length}`);
  const too_cheap = cheats.filter(isTooCheap);
  for (const { name } of too_cheap) console.log(`   ! too cheap: ${name}`);
  sheet.add('cheats that reach a public board below the price', `${too_cheap.length} of ${cheats.length}`);
  const below_one_person = cheats.filter(isBelowOnePerson);
  for (const { name, cost, ...gain } of below_one_person)
    console.log(`     ${gain.public} on public boards by ${cost.people} at the center: ${name}`);
  sheet.goal('cheats below one person per account and visit', below_one_person.length, { at_most: 0 });

  const honest = liveHonestly(HONEST_WEEKS, SEED);
  printHonest(honest, liveHonestly(HONEST_WEEKS, SEED, { rule: EACH_ACCOUNT_COUNTS }));
  const total = sumTallies([...honest.values()]);
  sheet.add('honest activities refused', `${total.refused} of ${total.activities} in ${total.weeks} weeks`);
  sheet.add('of these, by referees and friends: only they can be refused by the model', `${total.scans}`);
  sheet.add('proofs to repeat later', `${total.repeated}`);
  const extra_steps = (100 * total.friends_only) / total.activities;
  sheet.goal('honest activities on public boards only after a referee', extra_steps, { at_most: 0 }, ' %');
  addReplayed(sheet, on_server);
  await runControls(sheet, cheats);
  if (too_cheap.length + total.refused + on_server.refused + on_server.differences.length > 0) {
    throw new Error('a cheat is too cheap, or an honest activity was refused');
  }
  return sheet.figures;
}

function addReplayed(sheet: FigureSheet, replayed: ReplayedWeeks): void {
  const { differences, refused, activities, kiosk_visits, offline_visits, reviews, weeks } = replayed;
  for (const difference of differences.slice(0, 10)) console.log(`   ! ${difference}`);
  sheet.add('honest activities refused by the server', `${refused} of ${activities}, ${kiosk_visits} at kiosks`);
  sheet.add('kiosk visits without a network on the server', `${offline_visits}`);
  sheet.add(
    'weeks on the server that differ from the rules',
    `${differences.length} of ${activities} activities and ${reviews} reviews in ${weeks} weeks`,
  );
}

async function runControls(sheet: FigureSheet, cheats: PlayedCheat[]): Promise<void> {
  for (const [rule, { cheat }] of Object.entries(FAIR_PROOF_PATCHES)) {
    const before = cheats.find(({ name }) => name.includes(cheat));
    const [after] = (await play({ clubs: 0, seed: SEED, without: [rule], cheat })).cheats;
    const is_found = before !== undefined && after !== undefined && gainOf(after) > gainOf(before);
    sheet.control(
      `without ${rule}`,
      is_found,
      `public ${before?.public} → ${after?.public}, friends ${before?.friends} → ${after?.friends}`,
    );
  }
  for (const strict of Object.keys(STRICT_PATCHES)) {
    const { refused, activities } = (await play({ clubs: CONTROL_CLUBS, seed: SEED, strict })).honest;
    sheet.control(strict, refused > 0, `the server refused ${refused} of ${activities} honest activities`);
  }
  const off = sumTallies([...liveHonestly(CONTROL_WEEKS, SEED, { clock_error_ms: 60_000 }).values()]);
  sheet.control('clocks a minute off', off.refused > 0, `refused ${off.refused} of ${off.scans} scans`);
}

/** Points on public boards weigh more than any number on friends' boards. */
function gainOf({ public: reached, friends }: PlayedCheat): number {
  return reached * 1000 + friends;
}

/** Prints the table of cheats of `docs/fair-proof.md`. Returns how many gained more before the rules. */
function printCheats(cheats: PlayedCheat[], before: PlayedCheat[]): number {
  printHead(CHEAT_COLUMNS);
  let changed = 0;
  for (const [nth, { name, is_regression, accounts, cost, ...gain }] of cheats.entries()) {
    const [now, then] = [gain, before[nth] ?? gain].map((one) => `${one.public} / ${one.friends} / ${one.shield}`);
    if (then !== now) changed += 1;
    printRow([
      is_regression ? `**${name}**` : name,
      accounts,
      cost.codes_read,
      cost.people,
      cost.rights,
      gain.public,
      gain.friends,
      gain.shield,
      then === now ? 'the same' : (then ?? ''),
      gain.refusals.map((code) => `\`${code}\``).join(', ') || '–',
      gain.flags.map((kind) => `\`${kind}\``).join(', ') || '–',
    ]);
  }
  return changed;
}

/** Prints the table of honest people of `docs/fair-proof.md`; a dash where the model can count nothing. */
function printHonest(honest: Map<ClubKind, Tally>, before: Map<ClubKind, Tally>): void {
  printHead(HONEST_COLUMNS);
  for (const [kind, { weeks, activities, scans, refused, repeated, friends_only, flags }] of honest) {
    const are_friends = kind.startsWith('two friends');
    const share = (count = 0) => (are_friends ? '–' : percent(count, activities));
    printRow([
      kind,
      ...[weeks, activities].map(inWords),
      scans > 0 ? inWords(refused) : '–',
      are_friends ? inWords(repeated) : '–',
      share(friends_only),
      share(before.get(kind)?.friends_only),
      flags,
    ]);
  }
}

function printHead(columns: string): void {
  console.log(columns);
  console.log(columns.replaceAll(/[^|]+/g, '---'));
}

function printRow(cells: (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

function sumTallies(tallies: Tally[]): Tally {
  const sum: Tally = { weeks: 0, activities: 0, scans: 0, refused: 0, repeated: 0, friends_only: 0, flags: 0 };
  for (const tally of tallies) for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name];
  return sum;
}

const inWords = (count: number) => count.toLocaleString('en');

function percent(part: number, of: number): string {
  return `${((100 * part) / of).toFixed(1)} %`;
}

function play(order: FairProofOrder): Promise<FairProofReport> {
  return runForReport(new URL('../apps/api/test/fair-proof/play-all.ts', import.meta.url), order);
}
