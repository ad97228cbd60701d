import {
  createPerson,
  erasePerson,
  getPerson,
  grantOperator,
  listPeople,
  suspendPerson,
} from '@sendlap/contract/server-management/people.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { widenScreen } from '../device/wide-screen.ts';
import { POOL } from '../models/pool.ts';
import { personOf } from '../models/server-management-model.ts';
import { findFailedRead } from '../scenes/failed-read.ts';
import { openServerManagement, part } from '../scenes/server-management-page.ts';

describe('refused:', () => {
  test('an athlete reads that the screen is for operators', async () => {
    await openServerManagement('/people', { prepare: (server) => server.refuse(listPeople, 'not_an_operator') });
    within(await screen.findByRole('alert')).getByText('Only an operator of this server can do this.');
  });

  test('a person who does not exist', async () => {
    await openServerManagement('/people/no-such-athlete');
    within(await screen.findByRole('alert')).getByText('User not found');
  });

  test('the last operator keeps the right, and reads why', async () => {
    const { user } = await openServerManagement('/people/nora');
    const operator = await part('Operator');
    await user.click(operator.getByRole('button', { name: 'End this right' }));
    await user.click(operator.getByRole('button', { name: 'End this right' }));
    await operator.findByText('The server needs at least one operator. Make someone else an operator first.');
    expect(screen.queryByRole('button', { name: 'Suspend account' })).toBeNull();
  });

  test('an account without a whole e-mail address, and one that exists', async () => {
    const { user, server } = await openServerManagement('/add', {
      prepare: (fake) => fake.refuse(createPerson, 'validation_failed'),
    });
    const card = await part('New account');
    await user.type(card.getByLabelText('E-mail'), 'zoe');
    await user.click(card.getByRole('button', { name: 'Create account' }));
    await card.findByText(/^Enter a whole e-mail address/);
    expect(server.asked(createPerson)).toEqual([]);
    await user.type(card.getByLabelText('Name'), 'Zoe');
    await user.click(card.getByRole('button', { name: 'Create account' }));
    await expect.poll(() => server.asked(createPerson)).toHaveLength(1);
    await card.findByText(/^Enter a whole e-mail address/);
    server.refuse(createPerson, 'email_taken');
    await user.click(card.getByRole('button', { name: 'Create account' }));
    await card.findByText('This e-mail address has an account already.');
  });
});

test('in a wide window a person opens beside the list, which keeps its search, and one Back closes the person', async () => {
  widenScreen();
  const { user } = await openServerManagement('/people?only=operators');
  await screen.findByText('What you choose in the list appears here.');
  const list = screen.getByRole('navigation', { name: 'People' });
  const row = await within(list).findByRole('link', { name: /^Nora/ });
  await user.click(row);
  await screen.findByRole('heading', { level: 1, name: 'Person' });
  expect(screen.getByRole('navigation', { name: 'People' })).toBe(list);
  expect(row.getAttribute('aria-current')).toBe('page');
  expect(within(list).getAllByRole('link')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByText('What you choose in the list appears here.');
  expect(screen.queryByRole('heading', { level: 1, name: 'Person' })).toBeNull();
});

test.each([
  ['en', 'Search', 'Name, public ID or e-mail', 'Operators', 'No one found'],
  ['es', 'Buscar', 'Nombre, ID público o correo', 'Administran', 'No hay nadie así'],
] as const)('people are found by name and by right, in %s', async (language, _name, label, operators, none) => {
  const { user, server, passTime } = await openServerManagement('/people', { language });
  const main = within(await screen.findByRole('main'));
  const names = () => main.queryAllByRole('listitem').map((item) => item.querySelector('bdi')?.textContent);
  await expect.poll(names).toEqual(['Nora', 'Bea', 'Rex']);
  await user.click(main.getByRole('button', { name: operators }));
  await expect.poll(names).toEqual(['Nora']);
  await user.click(main.getByRole('button', { name: operators }));
  await user.type(main.getByLabelText(label), 'bea');
  await passTime(1000);
  await expect.poll(names).toEqual(['Bea']);
  await user.type(main.getByLabelText(label), 'x');
  await passTime(1000);
  await main.findByText(none);
  expect(server.asked(listPeople).at(-1)?.query).toMatchObject({ q: 'beax' });
  await user.keyboard('{Backspace}');
  await user.click(await main.findByRole('link', { name: /^Bea/ }));
  await screen.findByText('bea@example.org');
  history.back();
  await expect.poll(names).toEqual(['Bea']);
});

test('a person is suspended with a reason, after a question, and is free again', async () => {
  const { user, server } = await openServerManagement('/people');
  await user.click(await screen.findByRole('link', { name: /^Bea/ }));
  const card = await part('Suspend');
  await user.click(card.getByRole('button', { name: 'Suspend account' }));
  expect(document.activeElement).toBe(card.getByLabelText('Reason'));
  await user.click(card.getByRole('button', { name: 'Suspend account' }));
  await card.findByText('Write a reason.');
  expect(server.asked(suspendPerson)).toEqual([]);
  await user.type(card.getByLabelText('Reason'), '  Adverts  in chats ');
  await user.click(card.getByRole('button', { name: 'Suspend account' }));
  const suspended = await part('Suspend');
  await suspended.findByText(/^Bea is suspended/);
  expect(server.asked(suspendPerson)[0]?.body).toEqual({ reason: 'Adverts in chats' });
  await user.click(suspended.getByRole('button', { name: 'Lift the suspension' }));
  await user.click(suspended.getByRole('button', { name: 'Lift the suspension' }));
  await suspended.findByRole('button', { name: 'Suspend account' });
  await expect.poll(() => document.activeElement?.textContent).toBe('Suspend');
});

test('an account is erased only when its public id was typed', async () => {
  const { user, server } = await openServerManagement('/people/bea');
  const card = await part('Erase');
  await user.click(card.getByRole('button', { name: 'Erase account' }));
  await user.type(card.getByLabelText('Reason'), 'Asked by mail');
  await user.type(card.getByLabelText('Type bea to confirm'), 'rex');
  await user.click(card.getByRole('button', { name: 'Erase account' }));
  await card.findByText('That is not the public ID.');
  expect(server.asked(erasePerson)).toEqual([]);
  await user.clear(card.getByLabelText('Type bea to confirm'));
  await user.type(card.getByLabelText('Type bea to confirm'), 'bea');
  await user.click(card.getByRole('button', { name: 'Erase account' }));
  await screen.findByText(/^This account will be erased on 3 December 2026/);
  expect(screen.queryByRole('button', { name: 'Erase account' })).toBeNull();
});

test('a person becomes an operator after a question, and cannot be locked then', async () => {
  const { user, server } = await openServerManagement('/people/bea');
  const card = await part('Operator');
  await user.click(card.getByRole('button', { name: 'Make operator' }));
  await user.click(card.getByRole('button', { name: 'Cancel' }));
  expect(server.asked(grantOperator)).toEqual([]);
  await user.click(card.getByRole('button', { name: 'Make operator' }));
  await user.click(card.getByRole('button', { name: 'Make operator' }));
  await card.findByRole('button', { name: 'End this right' });
  screen.getByText('To suspend or erase an operator, end that right first.');
});

test('a password link is shown to scan and to copy', async () => {
  const { user } = await openServerManagement('/people/bea');
  const card = await part('Password');
  await user.click(card.getByRole('button', { name: 'Make a password link' }));
  await card.findByText('Give this to Bea only: the first person to open it owns the account.');
  card.getByRole('img', { name: 'QR code of the link' });
  await user.click(card.getByRole('button', { name: 'Copy link' }));
  await screen.findByText('Link copied');
});

test('a new account has a link for its owner, and its page', async () => {
  const { user, server } = await openServerManagement('/people');
  await user.click(await screen.findByRole('button', { name: 'Add a person' }));
  const card = await part('New account');
  await user.type(card.getByLabelText('E-mail'), 'zoe@example.org');
  await user.type(card.getByLabelText('Name'), 'Zoe');
  await user.click(card.getByRole('button', { name: 'Create account' }));
  await card.findByText('Zoe chooses a password here:');
  expect(server.asked(createPerson)[0]?.body).toEqual({ email: 'zoe@example.org', name: 'Zoe' });
  await user.click(card.getByRole('link', { name: /^Zoe/ }));
  await screen.findByText('zoe@example.org');
});

test('where another service keeps the passwords, no account is made here', async () => {
  const person = personOf('Ada', { has_password: false });
  const { user } = await openServerManagement('/add', {
    change: (model) => {
      model.overview = { ...model.overview, has_accounts: false };
      model.people.push(person);
    },
  });
  const card = await part('New operator');
  expect(screen.queryByRole('heading', { name: 'New account' })).toBeNull();
  await user.click(card.getByRole('button', { name: 'Invite an operator' }));
  await card.findByText('The first person to open this becomes an operator:');
});

test('the rights of a referee name the centers', async () => {
  await openServerManagement('/people/rex', {
    change: (model) => {
      const referee_at = [
        {
          sport_center_id: POOL.id,
          sport_center_name: POOL.name,
          sport_types: ['swimming' as const],
          valid_until: null,
        },
      ];
      model.people = [personOf('Rex', { is_referee: true, referee_at })];
    },
  });
  const card = await part('Referee at');
  expect(card.getByRole('link', { name: POOL.name }).getAttribute('href')).toBe(`/sport-centers/${POOL.id}/manage`);
});

test('offline, the screen says that it needs a connection, and loads automatically afterwards', async () => {
  const phone = await openServerManagement('/people/bea', { prepare: (server) => server.fail(getPerson) });
  await findFailedRead(phone, getPerson);
  phone.setOnline(false);
  await screen.findByRole('heading', { name: "You're offline" });
});
