/** The part of oidc-provider 9 that we use: @types/oidc-provider would add 17 packages, koa and express among them. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface StoredPayload {
    grantId?: string;
    uid?: string;
    userCode?: string;
    consumed?: number;
    [key: string]: unknown;
  }

  export interface Adapter {
    upsert(id: string, payload: StoredPayload, expires_in_s?: number): Promise<void>;
    find(id: string): Promise<StoredPayload | undefined>;
    findByUid(uid: string): Promise<StoredPayload | undefined>;
    findByUserCode(user_code: string): Promise<StoredPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grant_id: string): Promise<void>;
  }

  export interface Interaction {
    uid: string;
    /** When it began, in seconds. */
    iat: number;
    prompt: { name: string };
    params: Record<string, unknown>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface ProviderContext {
    type: string;
    body: unknown;
    set(name: string, value: string): void;
    get(name: string): string;
    remove(name: string): void;
    response: { get(name: string): string | undefined };
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      provider: { Grant: new (payload: { clientId: string; accountId: string }) => Grant };
    };
  }

  export interface Account {
    accountId: string;
    claims(): { sub: string; [claim: string]: unknown };
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    proxy: boolean;
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
    on(event: 'server_error', listener: (context: ProviderContext, error: Error) => void): this;
  }

  class Prompt {
    constructor(options: { name: string; requestable: boolean });
  }
  interface Policy extends Array<Prompt> {
    add(prompt: Prompt, index: number): void;
  }
  export const interactionPolicy: { base(): Policy; Prompt: typeof Prompt };
  export const errors: { SessionNotFound: new () => Error };
}
