/** Where a text that one user, file or server wrote is put in front of another. */
export const CHANNELS = [
  'name',
  'name in a code',
  'blocked name',
  'message',
  'center name',
  'center address',
  'center town',
  'center phone',
  'center site',
  'center source',
  'edited center name',
  'edited center address',
  'edited center phone',
  'edited center site',
  'closed day',
  'claim',
  'report',
  'report outcome',
  'suspension',
  'erasure',
  'withdrawal',
  'kept review',
  'rejection',
  'appeal',
  'server name',
  'address',
  'typed text',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** The channels of which no screen may show a canary as text, and why. */
export const NEVER_TEXT: Partial<Record<Channel, string>> = {
  'center phone': 'the import keeps the number alone',
};
/** Links must have a canary of these in their target; why not of each. As text, the managers' form alone shows it. */
export const IN_TARGETS: Partial<Record<Channel, string>> = {
  'center site': 'the import cuts it at a space and refuses texts that are no web address, and edits replace it',
};

/** What the canary becomes if a page takes its text for the wrong thing; the control arms make that mistake. */
export type Disguise = 'markup' | 'link' | 'code';

export interface Canary {
  mark: number;
  channel: Channel;
  disguise: Disguise;
  /** As it is sent. */
  text: string;
}

/** The longest canary has to fit into a display name: 40 characters with a mark of four digits. */
type Payload = readonly [Disguise, (mark: number) => string];
const PAYLOADS: readonly Payload[] = [
  ['markup', (mark) => `<script>hit(${mark})</script>`],
  ['markup', (mark) => `<img src=x onerror=hit(${mark})>`],
  ['markup', (mark) => `<svg/onload=hit(${mark})>`],
  ['markup', (mark) => `"><img src=x onerror=hit(${mark})>`],
  ['markup', (mark) => `'><svg/onload=hit(${mark})>`],
  ['markup', (mark) => `</script><svg/onload=hit(${mark})>`],
  ['markup', (mark) => `</title></style><svg/onload=hit(${mark})>`],
  ['markup', (mark) => `<!--><svg/onload=hit(${mark})>`],
  ['markup', (mark) => `<iframe srcdoc="<svg/onload=hit(${mark})>">`],
  ['markup', (mark) => `<iframe src=javascript:hit(${mark})>`],
  ['markup', (mark) => `<input autofocus onfocus=hit(${mark})>`],
  ['markup', (mark) => `<details open ontoggle=hit(${mark})>x`],
  ['markup', (mark) => `<a href=javascript:hit(${mark})>x</a>`],
  ['markup', (mark) => `<img src=/canary/${mark}>`],
  ['markup', (mark) => `<object data=/canary/${mark}>`],
  ['markup', (mark) => `<base href=/canary/${mark}/>`],
  ['markup', (mark) => `<style>@import"/canary/${mark}"</style>`],
  ['markup', (mark) => `<p style=background:url(/canary/${mark})>x`],
  // Read from right to left, and after a control character. The server refuses U+0000.
  ['markup', (mark) => `\u202e<svg/onload=hit(${mark})>`],
  ['markup', (mark) => `\u0001<svg/onload=hit(${mark})>`],
  ['link', (mark) => `javascript:hit(${mark})`],
  ['link', (mark) => `JaVaScRiPt://x%0ahit(${mark})`],
  ['link', (mark) => `data:text/html,<svg/onload=hit(${mark})>`],
  ['link', (mark) => `https://a.test/"onclick="hit(${mark})`],
  ['link', (mark) => `[x](javascript:hit(${mark}))`],
  ['code', (mark) => `{{hit(${mark})}}`],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the canary of a template
  ['code', (mark) => '${hit(0)}'.replace('0', `${mark}`)],
  ['code', (mark) => `"};hit(${mark});//`],
];

export const PAYLOAD_COUNT = PAYLOADS.length;

const FIRST_MARK = 1000;
/** A list may cut a long text. */
const SHOWN_CHARACTERS = 60;

/** Makes the canaries of a run, each with a mark of its own, and finds them on screens. */
export class Canaries {
  readonly made: Canary[] = [];
  /** How many of the payloads are used. */
  readonly count: number;
  readonly #seen = new Set<number>();
  readonly #linked = new Set<number>();

  constructor(count: number) {
    this.count = count;
  }

  /** Returns the text of a new canary. `nth`: of the payload. `more` is written after it. */
  make(channel: Channel, nth: number, more = ''): string {
    const mark = FIRST_MARK + this.made.length;
    const [disguise, write] = this.#payloadOf(nth);
    const text = write(mark) + more;
    this.made.push({ mark, channel, disguise, text });
    return text;
  }

  /** Notes the canaries that are shown as the text that they are, or in targets of links. Returns the channels shown. */
  noteShown({ text, targets = [] }: { text: string; targets?: string[] }): Set<Channel> {
    this.#noteTargets(targets);
    const shown_text = visible(text);
    const shown = this.made.filter((canary) => shown_text.includes(visible(canary.text).slice(0, SHOWN_CHARACTERS)));
    for (const { mark } of shown) this.#seen.add(mark);
    return new Set(shown.map(({ channel }) => channel));
  }

  /** Whether the text of this payload can be a part of an address as it is. */
  isOneWord(nth: number): boolean {
    const [, write] = this.#payloadOf(nth);
    return /^[\x21-\x7e]+$/.test(write(FIRST_MARK));
  }

  /** Whether the text of this payload has at most so many bytes. */
  fits(nth: number, bytes: number): boolean {
    const [, write] = this.#payloadOf(nth);
    return new TextEncoder().encode(write(FIRST_MARK)).length <= bytes;
  }

  disguiseOf(nth: number): Disguise {
    return this.#payloadOf(nth)[0];
  }

  #noteTargets(targets: string[]): void {
    const decoded = visible(targets.map(decode).join('\n'));
    for (const { mark, text } of this.made) if (decoded.includes(visible(text))) this.#linked.add(mark);
  }

  /** Fewer payloads than all are of every kind too. */
  #payloadOf(nth: number): Payload {
    const at = Math.floor(((nth % this.count) * PAYLOADS.length) / this.count);
    return PAYLOADS[at] as Payload;
  }

  countSeen(channel: Channel): { seen: number; linked: number; made: number } {
    const made = this.made.filter((canary) => canary.channel === channel);
    const count = (marks: Set<number>) => made.filter(({ mark }) => marks.has(mark)).length;
    return { seen: count(this.#seen), linked: count(this.#linked), made: made.length };
  }
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Without spaces and hidden characters, which the server removes, and as a style sheet may write it. */
function visible(text: string): string {
  return text.toLowerCase().replaceAll(/[\p{C}\p{Z}]+/gu, '');
}
