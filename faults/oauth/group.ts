import type { Answer } from './http.ts';

/** One attempt to break in. */
export interface Attack {
  name: string;
  send(): Promise<Answer>;
  /** Overrides the group's check if this attack is refused in another way. */
  isRefused?: (answer: Answer) => boolean | Promise<boolean>;
  /** For the control arm: returns whether a server without checks would have accepted it. Called after the attack. */
  passesWeakCheck?: () => boolean | Promise<boolean>;
}

export interface Group {
  name: string;
  attacks: Attack[];
  isRefused(answer: Answer): boolean | Promise<boolean>;
  /** The unchanged request, sent after every attack; returns true if it succeeds. */
  honest(attack: Attack): Promise<boolean>;
  /** Attacks of this group are answers of a broken provider, for which `provider_unavailable` (503) is correct. */
  allows_503?: true;
}

export interface Row {
  name: string;
  attacks: number;
  refused: number;
  honest: number;
  errors_5xx: number;
  unavailable_503: number;
  forbidden_403: number;
  weak: number;
  weak_of: number;
  problems: string[];
}

/** Runs every attack of a group, each followed by the honest path. */
export async function runGroup(group: Group): Promise<Row> {
  const { name, attacks } = group;
  const zero = { refused: 0, honest: 0, errors_5xx: 0, unavailable_503: 0, forbidden_403: 0, weak: 0, weak_of: 0 };
  const row: Row = { name, attacks: attacks.length, ...zero, problems: [] };
  for (const attack of attacks) {
    const answer = await attack.send();
    const is_unavailable = group.allows_503 && answer.status === 503 && answer.code === 'provider_unavailable';
    const is_5xx = answer.status >= 500 && !is_unavailable;
    if (is_unavailable) row.unavailable_503 += 1;
    if (is_5xx) row.errors_5xx += 1;
    if (answer.status === 403) row.forbidden_403 += 1;
    const is_refused = !givesSession(answer) && (await (attack.isRefused ?? group.isRefused)(answer));
    if (is_refused && !is_5xx && answer.status !== 403) row.refused += 1;
    else row.problems.push(`${name}: "${attack.name}" was answered ${describe(answer)}`);
    if (attack.passesWeakCheck) {
      row.weak_of += 1;
      if (await attack.passesWeakCheck()) row.weak += 1;
    }
    if (await group.honest(attack)) row.honest += 1;
    else row.problems.push(`${name}: the honest path failed after "${attack.name}"`);
  }
  return row;
}

/** A 4xx does not excuse tokens in the reply, in its address or in a cookie. */
function givesSession({ status, body, location = '', set_cookies }: Answer): boolean {
  const tokens_given = status < 300 && body.includes('"access_token"');
  const code_given = status >= 300 && status < 400 && /[?#&](code|access_token|id_token)=/.test(location);
  return tokens_given || code_given || set_cookies.some((line) => /^__Host-sendlap_refresh=[^;]/.test(line));
}

/** Refused by the app's API: a 4xx with one of these codes. 403 and 429 do not count, whatever their code. */
export function refusedWith(...codes: string[]): (answer: Answer) => boolean {
  return ({ status, code = '' }) =>
    status >= 400 && status < 500 && ![403, 429].includes(status) && codes.includes(code);
}

function describe({ status, location, body }: Answer): string {
  return `${status}${location ? ` → ${location}` : ''} ${body.slice(0, 160).replaceAll('\n', ' ')}`;
}

const COLUMNS = ['attacks', 'refused', '5xx', '403', '503*', 'honest after', 'weak check lets in'];

export function printTable(rows: Row[]): void {
  const cells = rows.map((row) => [
    row.name,
    String(row.attacks),
    `${row.refused} of ${row.attacks}`,
    String(row.errors_5xx),
    String(row.forbidden_403),
    String(row.unavailable_503),
    `${row.honest} of ${row.attacks}`,
    row.weak_of === 0 ? '–' : `${row.weak} of ${row.weak_of}`,
  ]);
  const all = [['', ...COLUMNS], ...cells];
  const widths = all[0]?.map((_, index) => Math.max(...all.map((line) => (line[index] ?? '').length))) ?? [];
  for (const line of all) {
    const padded = line.map((cell, index) => (index ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[0] ?? 0)));
    console.log(padded.join('  '));
  }
  console.log('* provider_unavailable with Retry-After: the issuer itself is broken, which is no refusal of a person');
}
