import { onTestFinished, vi } from 'vitest';

export interface SavedFile {
  name: string;
  file: Blob;
}

/** jsdom has no downloads: collects the files that the app hands to the browser until the end of the test, in order. */
export function keepSavedFiles(): SavedFile[] {
  const saved: SavedFile[] = [];
  const files = new Map<string, Blob>();
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const address = `blob:https://sendlap.test/${files.size}`;
    files.set(address, file as Blob);
    return address;
  });
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const file = files.get(this.href);
    if (file) saved.push({ name: this.download, file });
  });
  onTestFinished(() => {
    for (const spy of [create, revoke, click]) spy.mockRestore();
  });
  return saved;
}
