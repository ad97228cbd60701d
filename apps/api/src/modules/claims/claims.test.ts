import { randomUUID } from 'node:crypto';
import { revokeManager } from '@sendlap/contract/center-management/center-staff.ts';
import {
  acceptClaim,
  checkClaimLine,
  createClaimLine,
  getCenterClaim,
  getCenterPoster,
  listClaims,
  redeemClaimCode,
  refuseClaim,
  requestClaim,
  sendClaimMail,
} from '@sendlap/contract/center-management/claims.ts';
import { getServerOverview } from '@sendlap/contract/server-management/overview.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn } from '#test/app/app.ts';
import { type ClaimScene, openClaimScene } from '#test/scenes/claim-scene.ts';
import { makeOperator } from '#test/scenes/right-holders.ts';
import { partsOf } from '#test/servers/mail-server.ts';

let scene: ClaimScene;
let operator: SignedIn;
beforeAll(async () => {
  scene = await openClaimScene();
  operator = await makeOperator(scene.api, 'Olga');
});
afterAll(() => scene.close());

const MESSAGE = { message: 'I am the head coach, call the desk.' };
const INPUTS: [Endpoint, object?][] = [
  [getCenterClaim],
  [sendClaimMail, { email: 'info@club.example', language: 'en' }],
  [redeemClaimCode, { code: '1234 5678' }],
  [createClaimLine],
  [checkClaimLine],
  [requestClaim, MESSAGE],
];
const OPERATORS: Endpoint[] = [listClaims, acceptClaim, refuseClaim];

/** A user who waits for the operator. */
async function ask(center: { id: string }) {
  const claimer = await scene.api.signIn('Clara');
  expect((await scene.call(requestClaim, claimer, center.id, MESSAGE)).status).toBe(201);
  const { data } = await scene.call(listClaims, operator, '');
  const claim_id: string = data.items.find(
    (claim: { public_id: string }) => claim.public_id === claimer.user.public_id,
  ).id;
  return { claimer, claim_id, data };
}

describe('refused:', () => {
  test.each(INPUTS.map(([endpoint, body]) => [endpoint.summary, endpoint, body] as const))(
    'without an account, at an unknown and at a closed center: %s',
    async (_name, endpoint, body) => {
      const center = await scene.openCenter();
      const athlete = await scene.api.signIn('Ada');
      await scene.api.database
        .updateTable('sport_centers')
        .set({ closed_at: new Date() })
        .where('id', '=', center.id)
        .execute();
      expect((await scene.call(endpoint, null, center.id, body)).code).toBe('unauthenticated');
      expect((await scene.call(endpoint, athlete, randomUUID(), body)).code).toBe(
        endpoint === redeemClaimCode ? 'claim_unknown' : 'sport_center_not_found',
      );
      expect((await scene.call(endpoint, athlete, center.id, body)).code).toBe(
        endpoint === redeemClaimCode ? 'claim_unknown' : 'sport_center_closed',
      );
    },
  );

  test('the decisions of operators, to all others, managers included', async () => {
    const center = await scene.openCenter();
    const { claim_id, claimer } = await ask(center);
    const manager = await scene.api.signIn('Mia');
    await scene.api.database
      .insertInto('managers')
      .values({ user_id: manager.user.id, sport_center_id: center.id })
      .execute();
    for (const endpoint of OPERATORS)
      for (const who of [null, claimer, manager])
        expect((await scene.call(endpoint, who, claim_id)).code).toBe(who ? 'not_an_operator' : 'unauthenticated');
    expect(await scene.isManager(claimer, center)).toBe(false);
  });

  test('the poster, to all but managers of the center and operators', async () => {
    const center = await scene.openCenter();
    const [athlete, elsewhere, manager] = await Promise.all(['Ada', 'Eva', 'Mia'].map(scene.api.signIn));
    const rights = [
      { user_id: elsewhere?.user.id ?? '', sport_center_id: (await scene.openCenter()).id },
      { user_id: manager?.user.id ?? '', sport_center_id: center.id },
    ];
    await scene.api.database.insertInto('managers').values(rights).execute();
    const codes = [null, athlete, elsewhere].map(
      async (who) => (await scene.call(getCenterPoster, who ?? null, center.id)).code,
    );
    expect(await Promise.all(codes)).toEqual(['unauthenticated', 'not_a_manager', 'not_a_manager']);
    for (const who of [manager ?? null, operator])
      expect((await scene.call(getCenterPoster, who, center.id)).data).toEqual({
        center_name: expect.stringMatching(/^Polideportivo/),
        sports: ['climbing', 'swimming'],
        url: `${scene.api.url}/sport-centers/${center.id}`,
        server_name: null,
      });
    expect((await scene.call(getCenterPoster, operator, randomUUID())).code).toBe('sport_center_not_found');
  });

  test('a message without a visible character, or with 301', async () => {
    const center = await scene.openCenter();
    const athlete = await scene.api.signIn('Ada');
    for (const message of ['', ' \u200b ', 'x'.repeat(301)])
      expect((await scene.call(requestClaim, athlete, center.id, { message })).code).toBe('validation_failed');
    expect(await scene.acts(center)).toEqual([]);
  });

  test('a mail that the mail server does not take, which leaves nothing open', async () => {
    const center = await scene.openCenter();
    const athlete = await scene.api.signIn('Ada');
    const body = { email: `gone@${center.host}`, language: 'en' };
    expect((await scene.call(sendClaimMail, athlete, center.id, body)).code).toBe('claim_mail_failed');
    expect((await scene.call(getCenterClaim, athlete, center.id)).data.mail.open_until).toBeNull();
    expect(await scene.acts(center)).toEqual(['begun mail', 'failed mail claim_mail_failed']);
  });
});

test.each(['en', 'es'] as const)('a mailed code makes its user a manager once, in %s', async (language) => {
  const center = await scene.openCenter();
  const claimer = await scene.api.signIn('Clara');
  const before = await scene.call(getCenterClaim, claimer, center.id);
  expect(before.data).toMatchObject({ is_manager: false, mail: { domain: center.host, open_until: null } });
  // In the letters that phones like to write.
  const email = ` Info@${center.host.toUpperCase()} `;
  const sent = await scene.call(sendClaimMail, claimer, center.id, { email, language });
  expect(sent.data.mail.open_until).toEqual(expect.any(String));
  const mail = scene.mails.received.findLast(({ to }) => to[0]?.endsWith(center.host));
  if (!mail) throw new Error('no mail came');
  expect(mail.to).toEqual([`Info@${center.host}`]);
  const { text, html } = await partsOf(mail);
  expect(text).toContain(language === 'en' ? 'Hello,' : 'Hola:');
  expect(text).toContain(claimer.user.public_id);
  expect(text).not.toContain('Clara');
  const code = /^\d{4} \d{4}$/m.exec(text)?.[0] ?? '';
  expect(html).toContain(code);
  expect(await scene.redeem(claimer, center, code)).toBe('manager');
  // The reply may have been lost.
  expect(await scene.redeem(claimer, center, code)).toBe('manager');
  expect(await scene.acts(center)).toEqual(['begun mail', 'proved mail']);
});

test('a line in the file of the site makes its user a manager', async () => {
  const center = await scene.openCenter();
  const claimer = await scene.api.signIn('Clara');
  const line = await scene.makeLine(claimer, center);
  const { data } = await scene.call(getCenterClaim, claimer, center.id);
  expect(data.line).toEqual({
    file_url: `http://${center.host}:${scene.sites.port}/.well-known/sendlap.txt`,
    open_until: expect.any(String),
  });
  expect(await scene.checkLine(claimer, center)).toBe('claim_site_unreadable');
  scene.sites.set(center.host, 'sendlap-claim=of-another\r\n');
  expect(await scene.checkLine(claimer, center)).toBe('claim_line_missing');
  // As editors on Windows write it.
  scene.sites.set(center.host, `\ufeff${line}\r\n`);
  expect(await scene.checkLine(claimer, center)).toBe('manager');
  expect(await scene.acts(center)).toEqual([
    'begun line',
    'failed line claim_site_unreadable',
    'failed line claim_line_missing',
    'proved line',
  ]);
});

test('a site may send the file to its name with www', async () => {
  const center = await scene.openCenter();
  const claimer = await scene.api.signIn('Clara');
  const line = await scene.makeLine(claimer, center);
  const location = `http://www.${center.host}:${scene.sites.port}/sendlap`;
  scene.sites.set(center.host, (_request, response) => void response.writeHead(301, { location }).end());
  scene.sites.set(`www.${center.host}`, (_request, response) => void response.end(`hello\n${line}`));
  expect(await scene.checkLine(claimer, center)).toBe('manager');
});

test('the operator accepts a claim, or refuses it', async () => {
  const center = await scene.openCenter(null);
  const { claimer, claim_id, data } = await ask(center);
  const mine = data.items.filter(({ id }: { id: string }) => id === claim_id);
  expect(mine).toMatchObject([
    { ...MESSAGE, name: 'Clara', sport_center_id: center.id, has_manager: false, url: null },
  ]);
  expect((await scene.call(getCenterClaim, claimer, center.id)).data).toMatchObject({
    mail: null,
    line: null,
    request: { ...MESSAGE, status: 'waiting' },
  });
  await scene.call(refuseClaim, operator, claim_id);
  expect((await scene.call(getCenterClaim, claimer, center.id)).data.request.status).toBe('refused');
  expect((await scene.call(acceptClaim, operator, claim_id)).code).toBe('claim_unknown');
  expect((await scene.call(requestClaim, claimer, center.id, MESSAGE)).data.request.status).toBe('waiting');
  const { items } = (await scene.call(listClaims, operator, '')).data;
  const again = items.find(({ sport_center_id }: { sport_center_id: string }) => sport_center_id === center.id);
  const left = await scene.call(acceptClaim, operator, again.id);
  expect(left.data.items.map(({ id }: { id: string }) => id)).not.toContain(again.id);
  expect(await scene.isManager(claimer, center)).toBe(true);
  expect(await scene.acts(center)).toEqual(['begun operator', 'refused', 'begun operator', 'accepted']);
});

test('a request of a locked account is neither listed nor counted', async () => {
  const { claimer } = await ask(await scene.openCenter(null));
  const read = async () => {
    const { items } = (await scene.call(listClaims, operator, '')).data;
    return {
      listed: items.length,
      counted: (await scene.call(getServerOverview, operator, '')).data.counts.open_claims,
    };
  };
  const { listed, counted } = await read();
  expect(counted).toBe(listed);
  await scene.api.app.inject({ method: 'DELETE', url: '/v1/users/me', headers: claimer.headers });
  expect(await read()).toEqual({ listed: listed - 1, counted: listed - 1 });
});

test('a center with a manager leaves the next one to the operator, and says so', async () => {
  const center = await scene.openCenter();
  const { claimer: first, claim_id: first_id } = await ask(center);
  await scene.call(acceptClaim, operator, first_id);
  const { claimer, claim_id } = await ask(center);
  const { data } = await scene.call(getCenterClaim, claimer, center.id);
  expect(data).toMatchObject({ has_manager: true, mail: null, line: null });
  expect((await scene.call(createClaimLine, claimer, center.id)).code).toBe('claim_way_unavailable');
  await scene.call(acceptClaim, operator, claim_id);
  expect([await scene.isManager(first, center), await scene.isManager(claimer, center)]).toEqual([true, true]);
});

test('of two who prove it at once, one becomes manager', async () => {
  const center = await scene.openCenter();
  const claimers = await Promise.all(['Clara', 'Cleo'].map(scene.api.signIn));
  const lines = await Promise.all(claimers.map((who) => scene.makeLine(who, center)));
  scene.sites.set(center.host, lines.join('\n'));
  const outcomes = await Promise.all(claimers.map((who) => scene.checkLine(who, center)));
  expect(outcomes.sort()).toEqual(['claim_way_unavailable', 'manager']);
});

test('without a mail server, only the line and the operator are offered', async () => {
  const other = await buildTestApp({ database_url: scene.api.database_url, env: { PUSH_ALLOW_LOCAL: '1' } });
  const center = await scene.openCenter();
  const { headers } = await other.signIn('Clara');
  const url = getCenterClaim.path.replace(':id', center.id);
  const { data } = (await other.app.inject({ method: 'GET', url, headers })).json();
  const payload = { email: `info@${center.host}`, language: 'en' };
  const sent = await other.app.inject({ method: 'POST', url: `${url}/mail`, headers, payload });
  await other.close();
  expect([data.mail, data.line.open_until]).toEqual([null, null]);
  expect(sent.json().code).toBe('claim_way_unavailable');
});

test('a claim of an account that was locked since is no longer open', async () => {
  const { claimer, claim_id } = await ask(await scene.openCenter());
  await scene.api.database.updateTable('users').set({ is_active: false }).where('id', '=', claimer.user.id).execute();
  for (const endpoint of [acceptClaim, refuseClaim]) {
    const url = endpoint.path.replace(':claim_id', claim_id);
    const reply = await scene.api.app.inject({ method: 'POST', url, headers: operator.headers });
    expect(reply.json().code).toBe('claim_unknown');
  }
  const rights = scene.api.database.selectFrom('managers').select('user_id').where('user_id', '=', claimer.user.id);
  expect(await rights.execute()).toEqual([]);
});

test('where an operator ended the right of a manager, only an operator makes the next one', async () => {
  const [center, ada] = [await scene.openCenter(), await scene.api.signIn('Ada')];
  expect(await scene.redeem(ada, center, await scene.mailCode(ada, center))).toBe('manager');
  const url = revokeManager.path.replace(':id', center.id).replace(':public_id', ada.user.public_id);
  await scene.api.app.inject({ method: 'DELETE', url, headers: operator.headers });
  expect(await scene.isManager(ada, center)).toBe(false);
  const { data } = await scene.call(getCenterClaim, ada, center.id);
  expect([data.mail, data.line, data.has_manager]).toEqual([null, null, false]);
  expect((await scene.call(createClaimLine, ada, center.id)).code).toBe('claim_way_unavailable');
  expect((await scene.call(requestClaim, ada, center.id, MESSAGE)).status).toBe(201);
});
