const turns = new Map<string, Promise<unknown>>();

/**
 * Steps of one user that are here at once take turns, so that they hold one connection and not all of them while they
 * wait for each other's lock. Those on other nodes do wait for the lock. What `carryOut` throws is thrown.
 */
export function inTurn<Value>(user_id: string, carryOut: () => Promise<Value>): Promise<Value> {
  const turn = (turns.get(user_id) ?? Promise.resolve()).then(carryOut, carryOut);
  turns.set(user_id, turn);
  const forget = () => {
    if (turns.get(user_id) === turn) turns.delete(user_id);
  };
  turn.then(forget, forget);
  return turn;
}
