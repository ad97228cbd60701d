import type { Push } from './push-client.ts';

const MAX_IN_A_ROW = 10;
const MAX_REMEMBERED = 10_000;

export interface Refusals {
  /** A push service took a push. */
  note(push: Push): void;
  /**
   * A push service refused a push for good. True once it has refused this subscription 10 times in a row and taken
   * pushes to others meanwhile: one that takes none may have a reason of ours, as a clock that is wrong.
   */
  isLast(push: Push): boolean;
}

/** Of subscriptions that are refused again and again; a restart begins anew. */
export function createRefusals(): Refusals {
  const in_a_row = new Map<string, { refused: number; taken_before: number }>();
  const taken = new Map<string, number>();
  return {
    note({ origin, subscription }) {
      in_a_row.delete(subscription.id);
      if (taken.size >= MAX_REMEMBERED) taken.clear();
      taken.set(origin, (taken.get(origin) ?? 0) + 1);
    },
    isLast({ origin, subscription: { id } }) {
      if (in_a_row.size >= MAX_REMEMBERED) in_a_row.clear();
      const row = in_a_row.get(id) ?? { refused: 0, taken_before: taken.get(origin) ?? 0 };
      row.refused += 1;
      in_a_row.set(id, row);
      if (row.refused < MAX_IN_A_ROW || (taken.get(origin) ?? 0) <= row.taken_before) return false;
      in_a_row.delete(id);
      return true;
    },
  };
}
