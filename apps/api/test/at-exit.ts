/**
 * Runs `undo` if this process ends before the returned function is called, also by SIGINT or SIGTERM: for what would
 * outlast it. `undo` must not wait for anything.
 */
export function atExit(undo: () => void): () => void {
  const giveUp = () => process.exit(1);
  process.once('exit', undo);
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  return () => {
    process.off('exit', undo);
    process.off('SIGINT', giveUp);
    process.off('SIGTERM', giveUp);
  };
}
