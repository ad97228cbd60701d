import {
  acceptClaim,
  type CenterClaim,
  checkClaimLine,
  createClaimLine,
  getCenterClaim,
  listClaims,
  type RequestedClaim,
  redeemClaimCode,
  refuseClaim,
  requestClaim,
  sendClaimMail,
} from '@sendlap/contract/center-management/claims.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { stubMap } from '../device/stub-map.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { followLink } from '../scenes/follow-link.ts';

const PATH = `/sport-centers/${POOL.id}/claim`;
const FILE_URL = 'https://www.cebada.example/.well-known/sendlap.txt';
const LINE = `sendlap-claim=${'a'.repeat(43)}`;
const UNTIL = '2026-11-27T10:00:00.000Z';
const NEW: CenterClaim = {
  center_name: POOL.name,
  is_manager: false,
  has_manager: false,
  mail: { domain: 'cebada.example', open_until: null },
  line: { file_url: FILE_URL, open_until: null },
  request: null,
};
const CLAIMED = { ...NEW, is_manager: true };
const REQUEST = { message: 'I am the coach', requested_at: '2026-11-26T10:00:00.000Z' };
const ASKED: RequestedClaim = {
  id: 'eeeeeeee-1111-4111-8111-111111111111',
  sport_center_id: POOL.id,
  center_name: POOL.name,
  city: 'Madrid',
  url: 'https://www.cebada.example/',
  has_manager: false,
  public_id: 'clara',
  name: 'Clara',
  ...REQUEST,
};

async function openClaim(claim: CenterClaim, options: Parameters<typeof openApp>[0] = {}) {
  const { prepare, ...rest } = options;
  return openApp({
    path: PATH,
    now: '2026-11-26T10:00:00Z',
    ...rest,
    prepare: (server) => {
      answerCenter(server);
      server.on(getCenterClaim, () => claim);
      server.on(sendClaimMail, () => ({ ...NEW, mail: { domain: 'cebada.example', open_until: UNTIL } }));
      server.on(createClaimLine, () => ({ line: LINE, file_url: FILE_URL, expires_at: UNTIL }));
      server.on(redeemClaimCode, () => CLAIMED);
      server.on(checkClaimLine, () => CLAIMED);
      server.on(requestClaim, ({ body }) => ({ ...NEW, request: { ...REQUEST, ...body, status: 'waiting' as const } }));
      prepare?.(server);
    },
  });
}

const cardOf = async (heading: string) => {
  const title = await screen.findByRole('heading', { level: 2, name: heading });
  return within(title.closest('section') as HTMLElement);
};

test('a visitor of the link reads what it is for, and returns to it with an account', async () => {
  await openClaim(NEW, { as: null });
  await screen.findByRole('heading', { level: 1, name: `Do you run ${POOL.name}?` });
  screen.getByRole('button', { name: 'Create account' });
  screen.getByRole('link', { name: 'I have an account' });
});

test('after too many mails the card says from when on the next one is possible, and keeps the address', async () => {
  const prepare: NonNullable<Parameters<typeof openApp>[0]>['prepare'] = (server) =>
    server.refuse(sendClaimMail, 'too_many_requests', { 'retry-after': '3600' });
  const { user } = await openClaim(NEW, { language: 'es', prepare });
  const card = await cardOf('Un código por correo');
  const address = card.getByLabelText('Correo del centro');
  await user.type(address, 'info@cebada.example{Enter}');
  await card.findByText('Has llegado al límite por ahora. Inténtalo de nuevo dentro de 60 minutos.');
  expect(address).toHaveProperty('value', 'info@cebada.example');
});

test.each([
  ['en', 'A code by mail', 'Mail address of the center', 'Code from the mail', 'Check the code'],
  ['es', 'Un código por correo', 'Correo del centro', 'Código del correo', 'Comprobar el código'],
] as const)('a mailed code proves it, in %s', async (language, title, address, code, check) => {
  const { user, server } = await openClaim(NEW, { language });
  const card = await cardOf(title);
  await user.type(card.getByLabelText(address), 'info@cebada.example{Enter}');
  expect(server.asked(sendClaimMail)[0]?.body).toEqual({ email: 'info@cebada.example', language });
  await card.findByRole('status');
  await user.type(await card.findByLabelText(code), '1234 5678');
  await user.click(card.getByRole('button', { name: check }));
  await screen.findByRole('heading', { level: 2, name: new RegExp(`(manage|Gestionas) ${POOL.name}`) });
  screen.getByRole('link', { name: /^(Poster|Cartel)/ });
  expect(server.asked(redeemClaimCode)[0]?.body).toEqual({ code: '1234 5678' });
});

test.each([
  ['claim_email_refused', "This is not an address at the center's own domain."],
  ['claim_mail_failed', 'The mail could not be sent. Try another address, or later.'],
  ['claim_way_unavailable', "Only this server's operator can decide here."],
] as const)('a mail that is refused with %s says why', async (code, text) => {
  const { user } = await openClaim(NEW, { prepare: (server) => server.refuse(sendClaimMail, code) });
  const card = await cardOf('A code by mail');
  await user.type(card.getByLabelText('Mail address of the center'), 'eve@evil.example{Enter}');
  within(await card.findByRole('alert')).getByText(text);
});

test('a wrong code says so, and another one can be sent', async () => {
  const sent = { ...NEW, mail: { domain: 'cebada.example', open_until: UNTIL } };
  const { user } = await openClaim(sent, { prepare: (server) => server.refuse(redeemClaimCode, 'claim_code_wrong') });
  const card = await cardOf('A code by mail');
  await user.type(card.getByLabelText('Code from the mail'), '0000 0000{Enter}');
  within(await card.findByRole('alert')).getByText('This is not the code of the latest mail.');
  await user.click(card.getByRole('button', { name: 'Send another code' }));
  card.getByLabelText('Mail address of the center');
});

test('a line on the web site proves it', async () => {
  const { user, server } = await openClaim(NEW);
  server.refuse(checkClaimLine, 'claim_line_missing');
  const card = await cardOf('A line on the website');
  await user.click(card.getByRole('button', { name: 'Show the line' }));
  await card.findByText(LINE);
  card.getByText(FILE_URL);
  await user.click(card.getByRole('button', { name: 'Check the website' }));
  within(await card.findByRole('alert')).getByText('Your line is not in that file yet.');
  server.heal(checkClaimLine);
  await user.click(card.getByRole('button', { name: 'Check the website' }));
  await screen.findByText(`You manage ${POOL.name}`);
});

test('a line that was made on another day can be checked, or made again', async () => {
  const { user } = await openClaim({ ...NEW, line: { file_url: FILE_URL, open_until: UNTIL } });
  const card = await cardOf('A line on the website');
  card.getByText(/^You have made a line/);
  card.getByRole('button', { name: 'Check the website' });
  await user.click(card.getByRole('button', { name: 'Make another line' }));
  await card.findByText(LINE);
});

test('a center without a web site leaves it to the operator, whose answer appears', async () => {
  const { user, server } = await openClaim({ ...NEW, mail: null, line: null });
  const card = await cardOf('Ask the operator');
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1);
  const message = card.getByLabelText('Message to the operator');
  await user.click(message);
  await user.paste('x'.repeat(301));
  card.getByText('At most 300 characters.');
  expect((card.getByRole('button', { name: 'Send' }) as HTMLButtonElement).disabled).toBe(true);
  await user.clear(message);
  await user.type(message, 'I am the coach');
  await user.click(card.getByRole('button', { name: 'Send' }));
  await card.findByText(/^Sent on 26 November 2026/);
  expect(server.asked(requestClaim)[0]?.body).toEqual({ message: 'I am the coach' });
});

test('a refused request can be sent again', async () => {
  await openClaim({ ...NEW, request: { ...REQUEST, status: 'refused' } });
  const card = await cardOf('Ask the operator');
  card.getByText('The operator said no. You can write again.');
  card.getByLabelText('Message to the operator');
});

test('a center with a manager says so', async () => {
  await openClaim({ ...NEW, has_manager: true, mail: null, line: null });
  await screen.findByText(`${POOL.name} already has a manager.`, { exact: false });
});

describe('without a network', () => {
  test('the page says that it needs a connection, and loads automatically', async () => {
    const phone = await openClaim(NEW, { path: '/profile' });
    await screen.findByRole('link', { name: /^Friends/ });
    phone.setOnline(false);
    phone.server.fail(getCenterClaim);
    followLink(PATH);
    await screen.findByText('Claiming a center needs a connection.', { exact: false });
    phone.server.heal(getCenterClaim);
    phone.setOnline(true);
    await cardOf('A code by mail');
  });

  test('nothing can be sent', async () => {
    const phone = await openClaim(NEW);
    await cardOf('A code by mail');
    phone.setOnline(false);
    expect(await screen.findAllByRole('button', { name: /: Needs a connection$/ })).toHaveLength(3);
  });
});

test('a closed center says that it is closed', async () => {
  await openClaim(NEW, { prepare: (server) => server.refuse(getCenterClaim, 'sport_center_closed') });
  within(await screen.findByRole('alert')).getByRole('button', { name: 'Retry' });
});

test.each([
  ['en', 'Ask the center for it', 'I run this center'],
  ['es', 'Pídeselo al centro', 'Yo gestiono este centro'],
] as const)("an athlete's message to the center contains its link, in %s", async (language, ask, staff) => {
  stubMap();
  const { user } = await openClaim(NEW, { path: `/sport-centers/${POOL.id}`, language });
  await user.click(await screen.findByRole('button', { name: ask }));
  await screen.findByText(`${location.origin}${PATH}`, { exact: false });
  await user.click(screen.getByRole('link', { name: staff }));
  await screen.findByRole('heading', {
    level: 1,
    name: language === 'en' ? 'I run this center' : 'Yo gestiono este centro',
  });
});

describe('the operator', () => {
  async function openList(items: RequestedClaim[], options: Parameters<typeof openApp>[0] = {}) {
    const { prepare, ...rest } = options;
    return openApp({
      path: '/manage/claims',
      ...rest,
      prepare: (server) => {
        server.on(listClaims, () => ({ items, next_cursor: null }));
        server.on(acceptClaim, () => ({ items: [], next_cursor: null }));
        server.on(refuseClaim, () => ({ items: [], next_cursor: null }));
        prepare?.(server);
      },
    });
  }

  test('reads that no claim waits', async () => {
    await openList([]);
    await screen.findByRole('heading', { name: 'No requests' });
  });

  test('is the only one who sees the list', async () => {
    await openList([], { prepare: (server) => server.refuse(listClaims, 'not_an_operator') });
    const alert = within(await screen.findByRole('alert'));
    alert.getByText('Only an operator of this server can do this.');
    expect(alert.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  test.each([
    ['en', 'Make Clara the manager', 'Back', 'No requests', 'Clara now manages'],
    ['es', 'Que lo gestione Clara', 'Volver', 'No hay peticiones', 'Clara ya gestiona'],
  ] as const)('accepts a claim after a question, in %s', async (language, accept, back, empty, told) => {
    const { user, server } = await openList([ASKED], { language });
    const row = within((await screen.findByText(ASKED.message)).closest('li') as HTMLElement);
    row.getByText('I am the coach');
    row.getByText('Clara');
    await user.click(row.getByRole('button', { name: accept }));
    expect(document.activeElement?.textContent).toBe(back);
    await user.keyboard('{Enter}');
    expect(server.asked(acceptClaim)).toEqual([]);
    await user.click(row.getByRole('button', { name: accept }));
    await user.click(row.getByRole('button', { name: accept }));
    await screen.findByRole('heading', { name: empty });
    await screen.findByText(`${told} ${ASKED.center_name}`);
    expect(server.asked(acceptClaim)[0]?.params).toEqual({ claim_id: ASKED.id });
  });

  test('refuses one, unless another operator was faster', async () => {
    const { user, server } = await openList([{ ...ASKED, has_manager: true, url: null }]);
    server.refuse(refuseClaim, 'claim_unknown');
    const row = within((await screen.findByText(ASKED.message)).closest('li') as HTMLElement);
    row.getByText('This center already has a manager.');
    row.getByText('No website on record');
    await user.click(row.getByRole('button', { name: 'Refuse' }));
    await user.click(row.getByRole('button', { name: 'Refuse' }));
    within(await row.findByRole('alert')).getByText('This is no longer open. Begin again.');
    server.heal(refuseClaim);
    await user.click(row.getByRole('button', { name: 'Refuse' }));
    await screen.findByRole('heading', { name: 'No requests' });
    await screen.findByText('Request refused');
  });
});
