import { inviteKiosk } from '@sendlap/contract/center-management/center-staff.ts';
import { AUDIT_ACTS, type AuditEntry, listAudit } from '@sendlap/contract/server-management/audit.ts';
import { updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inviteOperator } from '#api/modules/operators/service.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';
import { recordAudit } from './service.ts';

let api: TestApp;
let olga: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
  olga = await makeOperator(api, 'Olga');
});
afterAll(() => api.close());
beforeEach(() => api.database.deleteFrom('audit_entries').execute());

const read = async (query: Record<string, string> = {}) =>
  (await api.app.inject({ url: listAudit.path, headers: olga.headers, query })).json();

test.each(['x', '-1', '1e3', '99999999999999999'])('the cursor %s is refused', async (cursor) => {
  expect((await read({ cursor })).code).toBe('cursor_invalid');
});

test('an empty trail has no lines and no next page', async () => {
  expect((await read()).data).toEqual({ items: [], next_cursor: null });
});

test('says who did what where, newest first', async () => {
  const center = await makeCenter(api.database);
  const { headers } = olga;
  const at = expect.any(String);
  await inviteOperator(api.database, 'http://localhost', new Date());
  await inviteOperator(api.database, 'http://localhost', new Date(), 'operator CLI');
  await api.app.inject({ method: 'PATCH', url: updateServerProfile.path, headers, payload: { name: 'Club' } });
  await api.app.inject({ method: 'POST', url: inviteKiosk.path.replace(':id', center), headers });
  const nothing = { id: expect.any(Number), subject: null, sport_center: null, note: null };
  const by_olga = { kind: 'person', person: { public_id: olga.user.public_id, name: 'Olga' } };
  expect((await read()).data.items).toEqual([
    { ...nothing, at, act: 'kiosk_invited', actor: by_olga, sport_center: { id: center, name: expect.any(String) } },
    { ...nothing, at, act: 'server_updated', actor: by_olga, note: 'Club' },
    { ...nothing, at, act: 'operator_invited', actor: { kind: 'cli', person: null } },
    { ...nothing, at, act: 'operator_invited', actor: { kind: 'server', person: null } },
  ]);
});

test('is read page by page, each line once, also while lines are added', async () => {
  for (const act of AUDIT_ACTS) await recordAudit(api.database, { act, actor_id: olga.user.id });
  const seen: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const { data } = await read({ limit: '7', ...(cursor !== null && { cursor }) });
    seen.push(...data.items);
    cursor = data.next_cursor;
    await recordAudit(api.database, { act: 'server_updated', actor_id: olga.user.id });
  } while (cursor !== null);
  expect(seen.map(({ act }) => act)).toEqual(AUDIT_ACTS.toReversed());
});
