import { onTestFinished, vi } from 'vitest';

/** Until the returned function is called or the test ends, nothing can be written to this database: its disk failed. */
export function failWrites(database_name: string): () => void {
  const begin = IDBDatabase.prototype.transaction;
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    if (this.name === database_name && args[1] === 'readwrite')
      throw new DOMException('The disk failed', 'UnknownError');
    return begin.apply(this, args);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}
