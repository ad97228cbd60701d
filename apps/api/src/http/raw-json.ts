/** What a reply has around its data. */
export const ENVELOPE_HEAD = '{"success":true,"data":';
export const ENVELOPE_TAIL = '}';

/**
 * A whole reply as JSON whose data was shaped by the contract's schema before, so that it need not be again. Whoever makes
 * one answers for its shape; tests parse such replies in full.
 */
export class RawJson<Data> {
  declare readonly shape?: Data;
  /** With the envelope. */
  readonly body: Buffer | string;

  constructor(body: Buffer | string) {
    this.body = body;
  }
}

/** A reply for which the schema's work per call would cost more than all the rest. */
export function rawJsonOf<Data>(data: Data): RawJson<Data> {
  return new RawJson(ENVELOPE_HEAD + JSON.stringify(data) + ENVELOPE_TAIL);
}
