/**
 * Returns the text of a recorded time, rounded down to whole seconds: an activity's code stores no more, and code, op and
 * correction must mean the same moment.
 */
export function toTimestamp(epoch_ms: number): string {
  return new Date(Math.floor(epoch_ms / 1000) * 1000).toISOString();
}
