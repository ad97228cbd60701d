import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { See } from '../base/sights.ts';

const ACCESS_LIFETIME_MS = 600_000;
const ROTATION_INTERVAL_MS = 600_000;
const PROOF_TOLERANCE_MS = 60_000;
/** Of a session without a key: copies of a request get the same answer. */
const GRACE_MS = 60_000;
const MAX_GENERATIONS_BEHIND = 4;
/** A browser that uses its access token so long after its issue has also written its cookie. */
const CONFIRM_AFTER_MS = 35_000;

interface RefreshToken {
  text: string;
  issued_at: number;
  rotated_at: number | null;
  is_confirmed: boolean;
}

interface Session {
  id: string;
  user_id: string;
  /** null: the browser had none at its sign-in. */
  key: string | null;
  tokens: [RefreshToken, ...RefreshToken[]];
}

export interface Proof {
  key: string;
  id: string;
  at_ms: number;
}

/** A refusal with a code of the contract. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Each proof counts once, and about the time of its making. */
function createProofCheck(now: () => number, see: See) {
  const used = new Set<string>();
  return (proof: Proof | null): void => {
    if (!proof) return;
    const is_outdated = Math.abs(proof.at_ms - now()) > PROOF_TOLERANCE_MS;
    if (is_outdated) see('proof of a wrong clock');
    if (is_outdated || used.has(proof.id)) throw new Refusal('proof_expired');
    used.add(proof.id);
  };
}

interface ModelSessionsDeps {
  now: () => number;
  newId: () => string;
  see: See;
}

/** Sessions by the rules of the server: a second, short telling of them. */
export function createModelSessions({ now, newId, see }: ModelSessionsDeps) {
  /** Without the ended ones; newest last. */
  let live: Session[] = [];
  const checkProof = createProofCheck(now, see);

  const newToken = (): RefreshToken => ({ text: newId(), issued_at: now(), rotated_at: null, is_confirmed: false });
  const newestOf = ({ tokens }: Session): RefreshToken => tokens[tokens.length - 1] ?? tokens[0];
  const findByToken = (text: string | null) => live.find(({ tokens }) => tokens.some((token) => token.text === text));
  const endIf = (ended: Session | undefined) => {
    live = live.filter((session) => session !== ended);
  };

  function grant(session: Session) {
    const generation = session.tokens.length - 1;
    const expires_at = now() + ACCESS_LIFETIME_MS;
    const claims = { sub: session.user_id, sid: session.id, generation, issued_at: now(), expires_at };
    const tokens = { access_token: `model.${btoa(JSON.stringify(claims))}.`, expires_in: ACCESS_LIFETIME_MS / 1000 };
    return { tokens, cookie: newestOf(session).text };
  }

  function rotate(session: Session): void {
    see('rotation');
    newestOf(session).rotated_at = now();
    session.tokens.push(newToken());
  }

  function endAsStolen(session: Session): never {
    endIf(session);
    throw new Refusal('refresh_invalid');
  }

  /** Without a key, a crash looks like theft, unless it is the very last token that was lost. */
  function refreshWithoutKey(session: Session, token: RefreshToken): void {
    if (token.rotated_at === null) {
      rotate(session);
      return;
    }
    const behind = session.tokens.length - 1 - session.tokens.indexOf(token);
    const is_copy = now() - token.rotated_at <= GRACE_MS;
    if (is_copy ? behind > MAX_GENERATIONS_BEHIND : behind !== 1 || newestOf(session).is_confirmed)
      endAsStolen(session);
    if (!is_copy) token.rotated_at = now();
  }

  function refreshWithKey(session: Session, token: RefreshToken | undefined, proof: Proof | null): void {
    if (proof?.key !== session.key) endAsStolen(session);
    if (token && token !== newestOf(session)) see('older token with its proof');
    else if (!token || now() - token.issued_at >= ROTATION_INTERVAL_MS) rotate(session);
  }

  return {
    signIn(user_id: string, cookie: string | null, proof: Proof | null) {
      checkProof(proof);
      endIf(findByToken(cookie));
      if (proof) live = live.filter(({ key }) => key !== proof.key);
      const session: Session = { id: newId(), user_id, key: proof?.key ?? null, tokens: [newToken()] };
      live.push(session);
      return grant(session);
    },

    refresh(cookie: string | null, proof: Proof | null) {
      checkProof(proof);
      const by_token = findByToken(cookie);
      const session = by_token ?? live.findLast(({ key }) => proof !== null && key === proof.key);
      if (!session) throw new Refusal('refresh_invalid');
      const token = session.tokens.find(({ text }) => text === cookie);
      if (session.key !== null) refreshWithKey(session, token, proof);
      else if (token) refreshWithoutKey(session, token);
      return grant(session);
    },

    signOut: (cookie: string | null) => endIf(findByToken(cookie)),

    /** Returns the user of a bearer token. Throws `unauthenticated`. */
    authenticate(bearer: string): string {
      const { sid, expires_at, issued_at, generation } = JSON.parse(atob(bearer.split('.')[1] ?? ''));
      const session = live.find(({ id }) => id === sid);
      if (!session || expires_at <= now()) throw new Refusal('unauthenticated');
      const token = session.tokens[generation];
      if (token && generation > 0 && now() - issued_at >= CONFIRM_AFTER_MS) token.is_confirmed = true;
      return session.user_id;
    },
  };
}
