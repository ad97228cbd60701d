import { createCaller, type Figure, repeat } from './calls.ts';

export interface RefreshLoad {
  url: string;
  path: string;
  cookie: string;
  /** One token per browser; every refresh replaces it. */
  refresh_tokens: string[];
}

/** All browsers refresh repeatedly; throws unless every refresh was a real rotation. */
export async function refreshForAWhile(load: RefreshLoad, duration_s: number): Promise<Figure> {
  const caller = createCaller(load.url);
  const browsers = load.refresh_tokens.map((_first, index) => {
    return async () => {
      const token = load.refresh_tokens[index];
      const reply = await caller.post(load.path, { cookie: `${load.cookie}=${token}` });
      const next = reply.cookie(load.cookie);
      if (reply.status !== 200 || next === undefined || next === token) {
        throw new Error(`a refresh gave ${reply.status} and ${next === token ? 'the same' : next ? 'a' : 'no'} cookie`);
      }
      load.refresh_tokens[index] = next;
    };
  });
  try {
    return await repeat(browsers, duration_s);
  } finally {
    caller.close();
  }
}

export interface LoginLoad {
  url: string;
  path: string;
  emails: string[];
  password: string;
}

/** So many sign-ins run concurrently, cycling through all accounts; throws unless every sign-in succeeds. */
export async function loginForAWhile(load: LoginLoad, concurrency: number, duration_s: number): Promise<Figure> {
  const caller = createCaller(load.url);
  let turn = 0;
  const signIn = async () => {
    turn += 1;
    const email = load.emails[turn % load.emails.length];
    // The call has a limit for an IP address.
    const headers = { 'x-forwarded-for': `10.0.${(turn >> 8) & 255}.${turn & 255}` };
    const { status } = await caller.post(load.path, headers, { email, password: load.password });
    if (status !== 200) throw new Error(`a sign-in gave ${status}`);
  };
  try {
    return await repeat(
      Array.from({ length: concurrency }, () => signIn),
      duration_s,
    );
  } finally {
    caller.close();
  }
}
