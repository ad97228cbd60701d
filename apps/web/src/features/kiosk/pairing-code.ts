/** The format the server accepts; any other text is not sent. */
const CODE_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;

/** Returns the one-time code from typed, scanned or pasted text (a full link has it in its fragment), else null. */
export function readPairingCode(text: string): string | null {
  const code = text.slice(text.lastIndexOf('#') + 1).replace(/\s/g, '');
  return CODE_PATTERN.test(code) ? code : null;
}
