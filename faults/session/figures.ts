import type { ReplayFigures } from './theft.ts';

/** The figures of one part of the program. */
export interface ArmFigures {
  name: string;
  rounds: number;
  /** Tabs that had to be signed in after a round, summed over the rounds. */
  tabs: number;
  refreshes: number;
  /** Cut replies, kills, and refusals of the control arm. */
  misfortunes: number;
  logouts: number;
  stuck: number;
}

const WIDTHS = [50, 8, 8, 11, 13, 9, 7];

export function printArms(arms: ArmFigures[]): void {
  printRow(['', 'rounds', 'tabs', 'refreshes', 'misfortunes', 'logouts', 'stuck']);
  for (const { name, rounds, tabs, refreshes, misfortunes, logouts, stuck } of arms)
    printRow([name, rounds, tabs, refreshes, misfortunes, logouts, stuck]);
}

export function printReplays(replays: ({ name: string } & ReplayFigures)[]): void {
  printRow(['replayed', 'families', 'revoked', 'refused in', 'others alive']);
  for (const { name, families, revoked, refused_after_ms, others_alive } of replays) {
    const within = revoked > 0 ? `${(refused_after_ms / 1000).toFixed(1)} s` : '–';
    printRow([name, families, revoked, within, others_alive]);
  }
}

function printRow(cells: (string | number)[]): void {
  const [name, ...figures] = cells;
  const padded = figures.map((cell, index) => String(cell).padStart(WIDTHS[index + 1] ?? 8));
  console.log(String(name).padEnd(WIDTHS[0] ?? 0) + padded.join(''));
}
