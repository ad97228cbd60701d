/** The full value, or the small one of a trial: `npm run faults -- --small` and `npm run bench -- --small`. */
export function sized<Value>(full: Value, small: Value): Value {
  return process.argv.includes('--small') ? small : full;
}
