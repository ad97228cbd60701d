/** An error that ends the start and that the operator can fix. The message is one line and is printed unchanged. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** ENOSPC and EDQUOT of a file system; 53100 of PostgreSQL. */
const FULL_DISK_CODES = ['ENOSPC', 'EDQUOT', '53100'];

/** Returns true if a file system or PostgreSQL had no room to write. */
export function isDiskFull(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && FULL_DISK_CODES.includes(String(error.code));
}

/** Joins the lines of a foreign program's message, so that a StartError stays one line. */
export function toOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

const UNPRINTABLE = /\p{Cc}|\p{Bidi_Control}/gu;

/** Replaces characters that could draw on a terminal by spaces; a foreign program's text may hold any character. */
export function toPrintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, ' ');
}
