/** Marks ids of the load among all output of a server; version and variant make them UUIDs. */
const MARK = '-c4a7-4c4a-8c4a-';
const DIGITS = 8;
const ID_LENGTH = DIGITS + MARK.length;
const MOST = 1 << 21;

/** Returns the id of the nth message. */
export function messageId(nth: number): string {
  const digits = nth.toString(16).padStart(DIGITS, '0');
  return `${digits}${MARK}0000${digits}`;
}

export interface Delivered {
  /** Number of different messages that arrived. */
  count: number;
  /** Number of arrivals after the first of each message. */
  again: number;
}

/** Records when each message was sent, and which arrived. */
export interface Tally {
  /** Starts a new message; returns its number, counted from 0. */
  begin(): number;
  /** Finds ids in a receiver's input, whose pieces may be split anywhere. */
  createReader(): (piece: Buffer) => void;
  /** Calls the listener for each message that arrives for the first time. */
  onArrival(listener: (nth: number) => void): void;
  begun(): number;
  /** Counts messages from `first` on. */
  delivered(first: number): Delivered;
  /** Returns the milliseconds between sending and arriving, for the arrived messages from `first` on. */
  times(first: number): number[];
}

export function createTally(): Tally {
  const begun_at = new Float64Array(MOST);
  const took_ms = new Float32Array(MOST);
  const arrivals = new Uint8Array(MOST);
  let next = 0;
  let listener = (_nth: number): void => {};
  const arrive = (nth: number) => {
    if (nth >= next) throw new Error('a message arrived that was never sent');
    arrivals[nth] = Math.min(255, (arrivals[nth] ?? 0) + 1);
    if (arrivals[nth] !== 1) return;
    took_ms[nth] = performance.now() - (begun_at[nth] ?? 0);
    listener(nth);
  };
  return {
    begin() {
      if (next === MOST) throw new Error('too many messages for one load');
      begun_at[next] = performance.now();
      next += 1;
      return next - 1;
    },
    createReader() {
      let rest = '';
      return (piece) => {
        const text = rest + piece.toString('latin1');
        let seen = 0;
        for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, seen)) {
          arrive(Number.parseInt(text.slice(at - DIGITS, at), 16));
          seen = at + MARK.length;
        }
        // Keeps at most the possible beginning of an id.
        rest = text.slice(Math.max(seen, text.length - ID_LENGTH + 1));
      };
    },
    onArrival(call) {
      listener = call;
    },
    begun: () => next,
    delivered(first) {
      const part = arrivals.subarray(first, next);
      return {
        count: part.reduce((sum, times) => sum + Math.min(1, times), 0),
        again: part.reduce((sum, times) => sum + Math.max(0, times - 1), 0),
      };
    },
    times: (first) => [...took_ms.subarray(first, next)].filter((_, nth) => (arrivals[first + nth] ?? 0) > 0),
  };
}
