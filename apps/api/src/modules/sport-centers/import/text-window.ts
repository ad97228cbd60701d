import type { TextPiece } from './input.ts';
import { ImportError } from './types.ts';

/** No value of a file may be longer: it has to be in memory at once. In UTF-16 units. */
const MAX_WINDOW = 16 * 1024 * 1024;

/** A window on a text that is read piece by piece: what was used is dropped, and lines go on being counted. */
export class TextWindow {
  text = '';
  at = 0;
  ended = false;
  private readonly pieces: AsyncIterator<TextPiece>;
  private readonly onRead: (bytes: number) => void;
  private droppedLines = 0;
  /** Units of the current line that were dropped. */
  private droppedColumns = 0;

  constructor(pieces: AsyncIterable<TextPiece>, onRead: (bytes: number) => void) {
    this.pieces = pieces[Symbol.asyncIterator]();
    this.onRead = onRead;
  }

  /** Drops what lies before `at` and reads on; at the end of the text sets `ended`. */
  async more(): Promise<void> {
    this.drop();
    const { done, value } = await this.pieces.next();
    if (done) {
      this.ended = true;
      return;
    }
    if (this.isFull) throw this.tooLong();
    this.text += value.text;
    this.onRead(value.bytes_read);
  }

  get isFull(): boolean {
    return this.text.length - this.at > MAX_WINDOW;
  }

  tooLong(): ImportError {
    const { line, column } = this.where(this.at);
    const reason = `line ${line}, column ${column}: a value of more than 16 million characters begins here`;
    return new ImportError('not_json', reason, line);
  }

  /** Line and column (from 1) of a position in the window. */
  where(position: number): { line: number; column: number } {
    const { lines, last } = countLines(this.text, position);
    const columns = last === -1 ? this.droppedColumns + position : position - last - 1;
    return { line: this.droppedLines + lines + 1, column: columns + 1 };
  }

  async close(): Promise<void> {
    await this.pieces.return?.();
  }

  private drop(): void {
    const { lines, last } = countLines(this.text, this.at);
    this.droppedLines += lines;
    this.droppedColumns = last === -1 ? this.droppedColumns + this.at : this.at - last - 1;
    this.text = this.text.slice(this.at);
    this.at = 0;
  }
}

function countLines(text: string, end: number): { lines: number; last: number } {
  let [lines, last] = [0, -1];
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1;
    last = at;
  }
  return { lines, last };
}
