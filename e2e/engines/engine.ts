/** A browser that is not Chromium, with one page. */
export interface Engine {
  /** As the browser says it, with its version. */
  name: string;
  /** WebKit keeps pages of plain http asleep, which can block the next page (decision 064). */
  needs_https: boolean;
  open(url: string): Promise<void>;
  /** Runs a function in the page, with an argument that JSON can hold. Throws if the page does. */
  evaluate<Argument, Value>(run: (argument: Argument) => Value, argument: Argument): Promise<Value>;
  /** Kills the browser and starts it with what it has stored; undefined if it stores nothing when it is driven. */
  killAndStart?(): Promise<void>;
  close(): Promise<void>;
}
