/** One result of a fault program or a bench, as the nightly table shows it. */
export interface Figure {
  name: string;
  /** With its unit. */
  text: string;
  /** For speed: a slow machine may miss it, so a missed goal alone does not fail a program. */
  goal?: 'reached' | 'missed';
  /** The result of a control arm: the planted fault was found, or the program proves nothing. */
  control?: 'found' | 'silent';
}

export type Goal = { at_least: number } | { at_most: number };

/** Prints figures as they come and collects them for the nightly table. */
export interface FigureSheet {
  readonly figures: Figure[];
  /** Adds a figure without a goal. `detail` is printed with it, but not in the table. */
  add(name: string, text: string, detail?: string): void;
  /** Adds a figure with a goal. Returns whether it is reached. */
  goal(name: string, value: number, goal: Goal, unit?: string): boolean;
  /**
   * Skips a peer or a fault that needs what this machine lacks. Throws if BENCH_PEERS is `required`, as
   * `npm run nightly` sets it on Debian.
   */
  skipPeer(peer: string, reason: string): void;
  /** Throws if the control arm found nothing: the program then proves nothing. */
  control(name: string, is_found: boolean, text: string): void;
}

let latest_figures: readonly Figure[] = [];

/** Returns the figures of the last opened sheet: those that a program had collected before it threw. */
export function collectedFigures(): readonly Figure[] {
  return latest_figures;
}

export function openFigureSheet(): FigureSheet {
  const figures: Figure[] = [];
  latest_figures = figures;
  return {
    figures,
    add(name, text, detail = '') {
      figures.push({ name, text });
      console.log(`     ${name}: ${text}${detail}`);
    },
    goal(name, value, goal, unit = '') {
      const is_reached = 'at_least' in goal ? value >= goal.at_least : value <= goal.at_most;
      const target = 'at_least' in goal ? `≥ ${goal.at_least}` : `≤ ${goal.at_most}`;
      const text = `${value >= 100 ? value.toFixed(0) : value.toFixed(2)}${unit} (goal ${target}${unit})`;
      figures.push({ name: name.trim(), text, goal: is_reached ? 'reached' : 'missed' });
      console.log(`${is_reached ? 'ok  ' : 'MISS'} ${name}: ${text}`);
      return is_reached;
    },
    skipPeer(peer, reason) {
      if (process.env.BENCH_PEERS === 'required') throw new Error(`${peer}: ${reason}`);
      figures.push({ name: peer, text: `left out: ${reason}` });
      console.log(`     ${peer} is left out: ${reason}`);
    },
    control(name, is_found, text) {
      figures.push({ name, text, control: is_found ? 'found' : 'silent' });
      console.log(`control arm, ${name}: ${text}`);
      if (!is_found) throw new Error(`the control arm "${name}" found nothing: this proves nothing`);
    },
  };
}
