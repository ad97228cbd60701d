/** What the server takes for a code; what is no such text is not worth the question. */
const CODE = /^[A-Za-z0-9_-]{8,64}$/;

/** The one-time code in what somebody typed, scanned or pasted (a whole link holds it in its fragment), else null. */
export function readPairingCode(text: string): string | null {
  const code = text.slice(text.lastIndexOf('#') + 1).replace(/\s/g, '');
  return CODE.test(code) ? code : null;
}
