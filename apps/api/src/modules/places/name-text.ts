import type { TownNames } from '@sendlap/domain/places.ts';

/** Names in one long text, each on a line of its own, the most important town's first. */
export interface NameText {
  /** The numbers of the towns one of whose names is just this, in order. */
  called(name: string): Generator<number>;
  /** The numbers of the towns of which a name of their own, or another one, begins so, in order, some more than once. */
  beginning(start: string, which: 'own' | 'other'): Generator<number>;
}

/**
 * Puts the folded names of `count` towns into texts: searching them through takes about a millisecond, and 160,000
 * strings and a sorted index of them are saved.
 */
export function buildNameText(count: number, namesOf: (number: number) => TownNames): NameText {
  const own = createLines();
  const other = createLines();
  for (let number = 0; number < count; number += 1) {
    const { names, other_names } = namesOf(number);
    for (const name of names) own.add(name, number);
    for (const name of other_names) other.add(name, number);
  }
  const lines = { own: own.finish(), other: other.finish() };
  return {
    called: (name) => merge(lines.own(`\n${name}\n`), lines.other(`\n${name}\n`)),
    beginning: (start, which) => lines[which](`\n${start}`),
  };
}

/** How many names are joined at a time, so that the rest of them need not be kept. */
const BLOCK_LINES = 4096;

/** Collects lines with a number each; what it gives finds the numbers of the lines that hold a text. */
function createLines() {
  const starts: number[] = [];
  const numbers: number[] = [];
  const blocks: string[] = [''];
  let block: string[] = [];
  let start = 1;
  return {
    add(line: string, number: number): void {
      starts.push(start);
      numbers.push(number);
      start += line.length + 1;
      if (block.push(line) < BLOCK_LINES) return;
      blocks.push(block.join('\n'));
      block = [];
    },
    finish() {
      if (block.length > 0) blocks.push(block.join('\n'));
      const text = `${blocks.join('\n')}\n`;
      const startOfLine = Uint32Array.from(starts);
      const numberOfLine = Uint32Array.from(numbers);
      return function* find(pattern: string): Generator<number> {
        for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
          yield numberOfLine[lineAt(startOfLine, at + 1)] ?? 0;
        }
      };
    },
  };
}

/** Two ascending rows as one. */
function* merge(a: Iterator<number>, b: Iterator<number>): Generator<number> {
  let [first, second] = [a.next(), b.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && first.value <= second.value)) {
      yield first.value;
      first = a.next();
    } else {
      yield second.value;
      second = b.next();
    }
  }
}

/** The number of the line that begins at a position of the text. */
function lineAt(starts: Uint32Array, position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
