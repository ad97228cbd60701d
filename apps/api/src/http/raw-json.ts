/** The text around a reply's data. */
export const ENVELOPE_HEAD = '{"success":true,"data":';
export const ENVELOPE_TAIL = '}';

/**
 * A whole reply as JSON, with data that already passed the contract's schema, so that it is not checked again. Its
 * creator is responsible for the shape; tests parse such replies in full.
 */
export class RawJson<Data> {
  declare readonly shape?: Data;
  /** Includes the envelope. */
  readonly body: Buffer | string;

  constructor(body: Buffer | string) {
    this.body = body;
  }
}

/** For replies where the schema's work per call would cost more than the rest of the call. */
export function toRawJson<Data>(data: Data): RawJson<Data> {
  return new RawJson(ENVELOPE_HEAD + JSON.stringify(data) + ENVELOPE_TAIL);
}
