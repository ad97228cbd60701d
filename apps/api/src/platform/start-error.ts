/** A reason why the start ends that the operator can act on. The message is one line and is printed as it is. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** ENOSPC and EDQUOT: of a file system; 53100: of PostgreSQL. */
const FULL_DISK_CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** True for an error of a file system or of PostgreSQL that has no room to write. */
export function isDiskFull(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && FULL_DISK_CODES.includes(String(error.code));
}

/** Joins the lines of a foreign program's message, so that a StartError stays one line. */
export function toOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
