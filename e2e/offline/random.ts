/** Random choices that a seed repeats. */
export interface Random {
  /** 0 ≤ whole number < below */
  below(limit: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** The generator splitmix32: neighbouring seeds give unrelated numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    chance: (probability) => next() < probability,
  };
}
