/** Returns the full value, or the small one in a trial: `npm run faults -- --small` and `npm run bench -- --small`. */
export function sized<Value>(full: Value, small: Value): Value {
  return process.argv.includes('--small') ? small : full;
}
