import type { MadeAccount, NewAccount } from '../../apps/api/test/accounts.ts';
import type { HostedAddress } from '../../apps/api/test/app/hosted-server.ts';

/** The functions that a worker may call in its host; `settings` are environment variables. */
export interface HostCalls {
  open(settings: Record<string, string>): Promise<HostedAddress>;
  close(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  sendlap(args: string[]): Promise<string>;
  createAccount(account: NewAccount): Promise<MadeAccount>;
}

export interface HostCall {
  id: number;
  name: keyof HostCalls;
  argument: unknown;
}

export type HostReply = { id: number; value: unknown } | { id: number; error: string };
