import { onTestFinished, vi } from 'vitest';

export interface SavedFile {
  name: string;
  file: Blob;
}

/** jsdom has no downloads: the files that the app hands to the browser until the end of the test, in order. */
export function keepSavedFiles(): SavedFile[] {
  const saved: SavedFile[] = [];
  const files = new Map<string, Blob>();
  const address = (number: number) => `blob:https://sendlap.test/${number}`;
  Object.assign(URL, {
    createObjectURL(file: Blob) {
      files.set(address(files.size), file);
      return address(files.size - 1);
    },
    revokeObjectURL() {},
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const file = files.get(this.href);
    if (file) saved.push({ name: this.download, file });
  });
  onTestFinished(() => click.mockRestore());
  return saved;
}
