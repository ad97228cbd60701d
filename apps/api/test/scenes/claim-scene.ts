import { randomUUID } from 'node:crypto';
import {
  checkClaimLine,
  createClaimLine,
  getCenterClaim,
  redeemClaimCode,
  sendClaimMail,
} from '@sendlap/contract/center-management/claims.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { expect } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '../app/app.ts';
import { makeCenter } from '../factories.ts';
import { type MailServer, partsOf, startMailServer } from '../servers/mail-server.ts';
import { startNameServer } from '../servers/name-server.ts';
import { startWebSites, type WebSites } from '../servers/web-sites.ts';

/** A center and its web site. */
export interface ClaimedCenter {
  id: string;
  /** Of its site. */
  host: string;
  url: string;
}

/** Names with other addresses than this machine's. */
export type Names = Record<string, string[]>;

interface AuditDetails {
  sport_center_id?: string;
  way?: string;
  code?: string;
}

export interface ClaimScene {
  api: TestApp;
  mails: MailServer;
  sites: WebSites;
  /** Stores a center whose site has a host of its own, or this one. */
  openCenter(url?: string | null): Promise<ClaimedCenter>;
  call(endpoint: Endpoint, who: SignedIn | null, id: string, body?: object): Promise<ReturnType<JSON['parse']>>;
  /** Makes the user's line for the center. */
  makeLine(who: SignedIn, center: ClaimedCenter): Promise<string>;
  /** Mails a code to the center. Returns it. */
  mailCode(who: SignedIn, center: ClaimedCenter): Promise<string>;
  checkLine(who: SignedIn, center: ClaimedCenter): Promise<string>;
  redeem(who: SignedIn, center: ClaimedCenter, code: string): Promise<string>;
  isManager(who: SignedIn, center: ClaimedCenter): Promise<boolean>;
  /** Returns the audit trail of the center, as act and way or code. */
  acts(center: ClaimedCenter): Promise<string[]>;
  close(): Promise<void>;
}

/** A server whose mails, names and web sites are on this machine. */
export async function openClaimScene(names: Names = {}): Promise<ClaimScene> {
  const mails = await startMailServer({
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone@') ? new Error('no such box') : null),
  });
  const sites = await startWebSites();
  const name_server = await startNameServer((name) => names[name] ?? ['127.0.0.1']);
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'sendlap@server.example', PUSH_ALLOW_LOCAL: '1' };
  const api = await buildTestApp({ env, name_servers: [name_server.address] });

  const call: ClaimScene['call'] = async (endpoint, who, id, body) => {
    const url = endpoint.path.replace(/:(id|claim_id)/, id);
    const headers = who?.headers ?? {};
    const reply = await api.app.inject({ method: endpoint.method, url, headers, ...(body && { payload: body }) });
    return { status: reply.statusCode, retry_after_s: Number(reply.headers['retry-after']), ...reply.json() };
  };
  const outcomeOf = ({ code, data }: Awaited<ReturnType<typeof call>>) =>
    code ?? (data?.is_manager ? 'manager' : 'no manager');
  return {
    api,
    mails,
    sites,
    call,
    async openCenter(given) {
      const id = await makeCenter(api.database);
      const host = given ? new URL(given).hostname : `club-${randomUUID().slice(0, 8)}.example`;
      const url = given === undefined ? `http://${host}:${sites.port}/` : given;
      // As an import stores it: a later change of the url would make it wait.
      await api.database.updateTable('sport_centers').set({ url }).where('id', '=', id).execute();
      await api.database.updateTable('sport_centers').set({ url_changed_at: null }).where('id', '=', id).execute();
      return { id, host, url: url ?? '' };
    },
    async makeLine(who, { id }) {
      const { status, data } = await call(createClaimLine, who, id);
      expect(status).toBe(201);
      return data.line;
    },
    async mailCode(who, { id, host }) {
      const { status } = await call(sendClaimMail, who, id, { email: `info@${host}`, language: 'en' });
      expect(status).toBe(202);
      const mail = mails.received.findLast(({ to }) => to.includes(`info@${host}`));
      if (!mail) throw new Error('no mail came');
      return /^(\d{4} \d{4})$/m.exec((await partsOf(mail)).text)?.[1] ?? '';
    },
    checkLine: async (who, { id }) => outcomeOf(await call(checkClaimLine, who, id)),
    redeem: async (who, { id }, code) => outcomeOf(await call(redeemClaimCode, who, id, { code })),
    isManager: async (who, { id }) => (await call(getCenterClaim, who, id)).data?.is_manager === true,
    async acts({ id }) {
      const entries = await api.database.selectFrom('audit_entries').select(['act', 'details']).orderBy('id').execute();
      return entries
        .map(({ act, details }) => ({ act, ...(details as AuditDetails) }))
        .filter(({ sport_center_id }) => sport_center_id === id)
        .map(({ act, way, code }) => [act.replace('center_claim_', ''), way, code].filter(Boolean).join(' '));
    },
    async close() {
      await api.close();
      name_server.close();
      await sites.close();
      await mails.close();
    },
  };
}
