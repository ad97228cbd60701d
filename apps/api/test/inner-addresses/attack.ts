import type { RequestListener } from 'node:http';
import type { FakeInternet } from './fake-internet.ts';

export interface Attack {
  name: string;
  /** Returns the code or the words of the refusal. */
  run(): Promise<string>;
  expected: RegExp;
}

export interface Attacks {
  /** By which the addresses come. */
  way: string;
  attacks: Attack[];
  /** What has to work: otherwise the refusals show nothing. */
  honest: Attack[];
  close(): void;
}

export interface AttackReport {
  attacks: number;
  honest: number;
  /** Connections to addresses inside. */
  reached: number;
  /** One line for each attack that reached an address inside, or was answered otherwise than expected. */
  problems: string[];
}

/** Runs one attack after the other; `every`: only each n-th of them. */
export async function runAttacks(internet: FakeInternet, all: readonly Attacks[], every = 1): Promise<AttackReport> {
  const report: AttackReport = { attacks: 0, honest: 0, reached: 0, problems: [] };
  const run = async (way: string, { name, run, expected }: Attack) => {
    internet.reached.length = 0;
    const answer = await run().catch((error: unknown) => `${error}`);
    const reached = [...internet.reached];
    if (reached.length > 0) report.problems.push(`${way}, ${name}: reached ${reached.join(', ')}`);
    else if (!expected.test(answer)) report.problems.push(`${way}, ${name}: answered ${answer}, not ${expected}`);
    report.reached += reached.length;
  };
  for (const { way, attacks, honest } of all) {
    for (const attack of honest) await run(way, attack);
    for (const [nth, attack] of attacks.entries()) if (nth % every === 0) await run(way, attack);
    report.honest += honest.length;
    report.attacks += Math.ceil(attacks.length / every);
  }
  return report;
}

export function redirectTo(status: number, location: string): RequestListener {
  // As bytes: the location may have any characters.
  const bytes = Buffer.from(location).toString('latin1');
  return (_request, response) => void response.writeHead(status, { location: bytes }).end();
}
