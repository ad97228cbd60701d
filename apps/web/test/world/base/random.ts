/** Random choices that a seed repeats. */
export interface Random {
  /** 0 ≤ whole number < limit */
  below(limit: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  /** True with this probability. */
  chance(probability: number): boolean;
}
