import { randomUUID } from 'node:crypto';
import { verifyHash } from '#api/accounts/password-hash.ts';
import { hashPassword } from '#api/accounts/passwords.ts';
import { openScene } from './scene.ts';
import { answer } from './serve.ts';

const SESSIONS = 32;
const ACCOUNTS = 32;
const PASSWORD = 'chalk and water 26';

/** The first message to a bench that forks this: sessions to refresh and accounts to sign in to, on a real server. */
export interface SessionScene {
  url: string;
  refresh_tokens: string[];
  emails: string[];
  password: string;
  /** In PHC form, which names the parameters. */
  password_hash: string;
}

/** Runs bare password checks, so many concurrently, in the process that also answers the sign-ins. */
export interface VerifyOrder {
  concurrency: number;
  duration_s: number;
}

export interface VerifyFigure {
  verifies: number;
}

// One proxy is trusted, so that the load can use as many client addresses as the rate limits need.
const scene = await openScene({ TRUST_PROXY: '1' });
const password_hash = await hashPassword(PASSWORD);
const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
  id: randomUUID(),
  email: `athlete-${index}@example.org`,
  email_key: `athlete-${index}@example.org`,
  display_name: 'Athlete',
  password_hash,
}));
await scene.database.insertInto('provider_accounts').values(accounts).execute();
const signed_in = await Promise.all(Array.from({ length: SESSIONS }, () => scene.signIn('Ada')));

async function verifyForAWhile({ concurrency, duration_s }: VerifyOrder): Promise<VerifyFigure> {
  const started_at = performance.now();
  let count = 0;
  const worker = async () => {
    while (performance.now() - started_at < duration_s * 1000) {
      await verifyHash(password_hash, PASSWORD);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { verifies: count };
}

answer<SessionScene, VerifyOrder>(
  {
    url: scene.url,
    refresh_tokens: signed_in.map(({ refresh_token }) => refresh_token),
    emails: accounts.map(({ email }) => email),
    password: PASSWORD,
    password_hash,
  },
  verifyForAWhile,
);
