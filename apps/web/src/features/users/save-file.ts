const KEEP_MS = 60_000;

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // Browsers read it a little later, some after a question.
  setTimeout(() => URL.revokeObjectURL(href), KEEP_MS);
}
