import type { Access, Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { CALLERS, type CallerName, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';

/** A request to an endpoint, the same for every caller. */
export interface Call {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** A code is valid for half a minute, so its request is written at the moment of each call. */
export type Prepared = Call | (() => Call);

/** What a caller is answered: a success, one that changes nothing, or the code of a refusal. */
export type Answer = 'ok' | 'nothing' | ErrorCode;

/** One operation on one thing. */
export interface Row {
  endpoint: Pick<Endpoint, 'method' | 'path' | 'access'> & Partial<Endpoint>;
  /** Whose thing it is. */
  on: string;
  /** Prepares the thing, and returns the request. `who`: the caller, or a user without a part if the caller has no account. */
  make?: (world: MatrixWorld, who: Someone) => Prepared | Promise<Prepared>;
  /** Prepared for each caller, not only for those that succeed. */
  is_for_each?: true;
  /** Whose call succeeds, of the callers that the endpoint admits. */
  may: 'everyone' | readonly CallerName[];
  /** The answer of all other admitted callers. */
  others?: Answer;
  /** Admitted callers with an answer of their own. */
  except?: Partial<Record<CallerName, Answer>>;
  /** A change of the caller's own things: no row that names Ada may change by the call of another, except in these tables. */
  may_touch_ada?: readonly string[];
  /** The only callers. */
  callers?: readonly CallerName[];
  /** Of an operation for managers: who manages this center. Default: those of the center. */
  managers?: readonly CallerName[];
  /** Tables in which a refusal, or a read, is noted on purpose. */
  notes?: readonly string[];
  /** What a reply may show beyond `SEEN`. */
  reveals?: RegExp;
}

/** Who holds the right that an operation asks for. */
const HOLDERS: Record<'operator' | 'manager' | 'kiosk', readonly CallerName[]> = {
  operator: ['operator'],
  manager: ['manager', 'operator'],
  kiosk: ['kiosk', 'kiosk elsewhere'],
};

/** How each kind of operation refuses a session without the right. */
const WITHOUT_RIGHT: Partial<Record<Access, ErrorCode>> = { operator: 'not_an_operator', manager: 'not_a_manager' };

/** The answer that a caller has to get: first the endpoint's access, then the row's own rule. */
export function answerFor(row: Row, caller: CallerName): Answer {
  return refusalOfAccess(row, caller) ?? row.except?.[caller] ?? answerOfRow(row, caller);
}

function answerOfRow({ may, others = 'ok' }: Row, caller: CallerName): Answer {
  return may === 'everyone' || may.includes(caller) ? 'ok' : others;
}

function refusalOfAccess({ endpoint, managers }: Row, caller: CallerName): ErrorCode | undefined {
  const { access, while_locked = false } = endpoint;
  const standing = CALLERS[caller];
  if (access === 'anyone' || access === 'cookie') return undefined;
  if (access === 'kiosk') return HOLDERS.kiosk.includes(caller) ? undefined : 'kiosk_unknown';
  if (standing === 'locked') return while_locked ? undefined : 'account_locked';
  if (standing !== 'user') return 'unauthenticated';
  if (access === 'user') return undefined;
  const holders = access === 'manager' && managers ? managers : HOLDERS[access];
  return holders.includes(caller) ? undefined : WITHOUT_RIGHT[access];
}

/** What replies may show of Ada and others by the caller's relation, whatever is called: never an e-mail or a position. */
const SEEN: Partial<Record<CallerName, RegExp>> = {
  blocker: /^owner (id|name)$/,
  asker: /^owner (id|name|public_id)$/,
  asked: /^owner (id|name|public_id)$/,
  ex_friend: /^(owner (id|name)|ex_friend text)$/,
  friend: /^(owner (id|name|public_id)|friend text)$/,
  participant: /^(owner (id|name|public_id)|participant text)$/,
  owner: /^((participant|friend|asker|asked) (id|name|public_id)|(ex_friend|blocked) (id|name)|\w+ text)$/,
};

/** Whether a caller may read this text of `canaries` in a reply of this row. */
export function maySee({ reveals }: Row, caller: CallerName, label: string): boolean {
  return label.startsWith(`${caller} `) || (SEEN[caller]?.test(label) ?? false) || (reveals?.test(label) ?? false);
}
