import { AUDIT_ACTS, type AuditEntry, listAudit } from '@sendlap/contract/server-management/audit.ts';
import { getServerOverview } from '@sendlap/contract/server-management/overview.ts';
import { handleReport } from '@sendlap/contract/server-management/reports.ts';
import { keepReview, type Review, withdrawDecisions } from '@sendlap/contract/server-management/reviews.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import type { ServerManagementModel } from '../models/server-management-model.ts';
import { findFailedRead, retryFailedRead } from '../scenes/failed-read.ts';
import { openServerManagement, part } from '../scenes/server-management-page.ts';

const AT = '2026-11-26T09:00:00.000Z';
const REX = { public_id: 'rex', name: 'Rex' };
const BEA = { public_id: 'bea', name: 'Bea' };
const decision = (number: number): Review['decisions'][number] => ({
  id: `dddddddd-1111-4111-8111-00000000000${number}`,
  scanned_at: AT,
  decision: 'confirm',
  athlete: BEA,
  sport_type: 'swimming',
  sport_center_name: 'Piscina',
  points: 331,
});
const REVIEW: Review = {
  kind: 'reciprocal_pair',
  scanner: REX,
  athlete: BEA,
  count: 2,
  decisions: [decision(1), decision(2)],
};

describe('the overview', () => {
  test('that cannot be loaded says so, and Retry loads it', async () => {
    const phone = await openServerManagement('', { prepare: (fake) => fake.fail(getServerOverview) });
    await retryFailedRead(phone, getServerOverview);
    await part('Health');
  });

  test('offline, it says that it needs a connection, and loads automatically afterwards', async () => {
    const phone = await openServerManagement('', { prepare: (fake) => fake.fail(getServerOverview) });
    await findFailedRead(phone, getServerOverview);
    phone.setOnline(false);
    await screen.findByText(/^Managing the server needs a connection/);
    phone.server.heal(getServerOverview);
    phone.setOnline(true);
    await part('Health');
  });

  test.each([
    ['en', 'Health', /^Reports2 open/, /^People12 people/, 'Works, 12 MB', '20 GB of 64 GB'],
    ['es', 'Estado', /^Denuncias2 abiertas/, /^Personas12 personas/, 'Funciona, 12 MB', '20 GB de 64 GB'],
  ] as const)(
    'shows the health of the server and the waiting work, in %s',
    async (language, title, reports, people, database, disk) => {
      await openServerManagement('', {
        language,
        change: (model) => {
          model.overview = { ...model.overview, counts: { ...model.overview.counts, open_reports: 2 } };
        },
      });
      const health = await part(title);
      health.getByText(database);
      health.getByText(disk);
      for (const name of [reports, people])
        expect(screen.getAllByRole('link').filter((link) => name.test(link.textContent ?? ''))).toHaveLength(1);
    },
  );

  test('is reached from the profile by operators', async () => {
    const { user } = await openServerManagement('', { path: '/profile' });
    await user.click(await screen.findByRole('link', { name: /^Manage this server/ }));
    await part('Health');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('heading', { level: 1, name: 'Profile' });
  });
});

describe('the centers', () => {
  test('say where no referee and no kiosk is', async () => {
    await openServerManagement('/centers');
    await screen.findByRole('heading', { name: 'No referee and no kiosk yet' });
  });

  test.each([
    ['en', 'PiscinaBilbao · 2 referees · 1 kiosk · kiosk last used 1h ago'],
    ['es', 'PiscinaBilbao · 2 árbitros · 1 quiosco · último uso del quiosco: hace 1 h'],
  ] as const)('with a referee or a kiosk lead to their management, in %s', async (language, text) => {
    await openServerManagement('/centers', {
      language,
      change: (model) => {
        const center = { id: decision(1).id, name: 'Piscina', city: 'Bilbao', is_closed: false };
        model.centers = [{ ...center, referees: 2, kiosks: 1, kiosk_used_at: AT }];
      },
    });
    const row = within(await screen.findByRole('main')).findByRole('link', { name: /^Piscina/ });
    expect((await row).textContent).toBe(text);
    expect((await row).getAttribute('href')).toBe(`/sport-centers/${decision(1).id}/manage`);
  });
});

describe('reports', () => {
  const withReport = (model: ServerManagementModel) => {
    const messages = [{ id: decision(3).id, is_of_reported: true, text: 'Buy this', created_at: AT }];
    model.reports = [model.report('bea', { messages })];
  };

  test.each([
    ['en', 'No open reports'],
    ['es', 'No hay denuncias abiertas'],
  ] as const)('that are missing say so, in %s', async (language, title) => {
    await openServerManagement('/reports', { language });
    await screen.findByRole('heading', { name: title });
  });

  test('another operator was faster: the reason of the refusal is shown', async () => {
    const { user, server } = await openServerManagement('/reports', { change: withReport });
    server.refuse(handleReport, 'conflict');
    const card = within(await screen.findByRole('article'));
    await user.click(card.getByRole('button', { name: 'Dismiss' }));
    await user.type(card.getByLabelText('Reason'), 'A joke');
    await user.click(card.getByRole('button', { name: 'Dismiss' }));
    await card.findByRole('alert');
  });

  test('an operator is not suspended from here, nor a deleted user', async () => {
    await openServerManagement('/reports', {
      change: (model) => {
        const gone = {
          public_id: 'deleted-user',
          name: 'x',
          state: 'leaving' as const,
          is_operator: false,
          reporters: 1,
        };
        model.reports = [model.report('nora'), { ...model.report('bea'), id: decision(4).id, reported: gone }];
      },
    });
    expect(await screen.findAllByRole('article')).toHaveLength(2);
    screen.getByText('Deleted user');
    expect(screen.queryByRole('button', { name: 'Suspend account' })).toBeNull();
  });

  test('show who wrote what, and leave the open list with their outcome', async () => {
    const { user, server } = await openServerManagement('/reports', { change: withReport });
    const card = within(await screen.findByRole('article'));
    expect(card.getByRole('listitem').textContent).toMatch(/^Bea · .*Buy this$/);
    card.getByText('Adverts');
    await user.click(card.getByRole('button', { name: 'Suspend account' }));
    await user.type(card.getByLabelText('Reason'), 'Third time');
    await user.click(card.getByRole('button', { name: 'Suspend account' }));
    await screen.findByRole('heading', { name: 'No open reports' });
    expect(server.asked(handleReport)[0]?.body).toEqual({ outcome: 'suspended', reason: 'Third time' });
    await user.click(screen.getByRole('radio', { name: 'Closed' }));
    const closed = within(await screen.findByRole('article'));
    closed.getByText('Account suspended by Nora on 26 Nov 2026');
    closed.getByText('Third time');
    expect(closed.queryByRole('button')).toBeNull();
  });
});

describe('reviews', () => {
  test('that are missing say so', async () => {
    await openServerManagement('/reviews');
    await screen.findByRole('heading', { name: 'Nothing to look at' });
  });

  test.each([
    [
      'en',
      'They confirm each other',
      'Rex confirmed Bea 2 times, and Bea confirmed Rex too.',
      /^Confirmed for Bea · Swimming · 331 points/,
    ],
    [
      'es',
      'Se confirman entre sí',
      'Rex ha confirmado 2 veces a Bea, y Bea también a Rex.',
      /^Confirmada a Bea · Natación · 331 puntos/,
    ],
  ] as const)('say why and show the decisions, in %s', async (language, title, why, row) => {
    await openServerManagement('/reviews', {
      language,
      change: (model) => {
        model.reviews = [REVIEW];
      },
    });
    const card = await part(title);
    card.getByText(why);
    expect(card.getAllByRole('checkbox', { name: row })).toHaveLength(2);
  });

  test('only the chosen decisions are taken back, with a reason', async () => {
    const { user, server } = await openServerManagement('/reviews', {
      change: (model) => {
        model.reviews = [REVIEW];
      },
    });
    const card = await part('They confirm each other');
    for (const box of card.getAllByRole('checkbox')) await user.click(box);
    expect(card.getByRole('button', { name: 'Take 0 decisions back' }).matches(':disabled')).toBe(true);
    await user.click(card.getAllByRole('checkbox')[1] as HTMLElement);
    await user.click(card.getByRole('button', { name: 'Take 1 decision back' }));
    await user.type(card.getByLabelText('Reason'), 'Never there');
    await user.click(card.getByRole('button', { name: 'Take 1 decision back' }));
    await screen.findByText('1 decision taken back');
    expect(server.asked(withdrawDecisions)[0]?.body).toEqual({
      decision_ids: [decision(2).id],
      reason: 'Never there',
    });
  });

  test('a kept review leaves the list', async () => {
    const { user, server } = await openServerManagement('/reviews', {
      change: (model) => {
        model.reviews = [REVIEW];
      },
    });
    const card = await part('They confirm each other');
    await user.click(card.getByRole('button', { name: 'Leave as it is' }));
    await user.type(card.getByLabelText('Reason'), 'They train together');
    await user.click(card.getByRole('button', { name: 'Leave as it is' }));
    await screen.findByRole('heading', { name: 'Nothing to look at' });
    expect(server.asked(keepReview)[0]?.body).toEqual({
      kind: 'reciprocal_pair',
      scanner: 'rex',
      athlete: 'bea',
      reason: 'They train together',
    });
  });
});

describe('the audit trail', () => {
  const NORA = { kind: 'person' as const, person: { public_id: 'nora', name: 'Nora' } };
  const line = (id: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
    id,
    at: AT,
    actor: NORA,
    act: 'user_suspended',
    subject: BEA,
    sport_center: null,
    note: null,
    ...more,
  });

  test('that is empty says so', async () => {
    await openServerManagement('/audit');
    await screen.findByRole('heading', { name: 'Nothing yet' });
  });

  test.each([
    ['en', 'Nora suspended Bea“Adverts”', 'The server made an address for a new operator'],
    ['es', 'Nora suspendió a Bea«Adverts»', 'El servidor creó una dirección para que administre otra persona'],
  ] as const)('says who did what and why, in %s', async (language, suspended, invited) => {
    await openServerManagement('/audit', {
      language,
      change: (model) => {
        model.audit = [
          line(2, { note: 'Adverts' }),
          line(1, { act: 'operator_invited', actor: { kind: 'server', person: null }, subject: null }),
        ];
      },
    });
    const rows = within(await screen.findByRole('main')).findAllByRole('listitem');
    const [first, second] = (await rows).map((row) => row.textContent);
    expect(first).toMatch(new RegExp(`^${suspended}`));
    expect(second).toMatch(new RegExp(`^${invited}`));
  });

  test.each(['en', 'es'] as const)('has a sentence for each act, in %s', async (language) => {
    await openServerManagement('/audit', {
      language,
      change: (model) => {
        model.audit = AUDIT_ACTS.map((act, id) =>
          line(id, { act, sport_center: { id: decision(1).id, name: 'Piscina' } }),
        );
      },
    });
    const rows = await within(await screen.findByRole('main')).findAllByRole('listitem');
    expect(rows).toHaveLength(AUDIT_ACTS.length);
    for (const row of rows) expect(row.querySelector('span')?.textContent).toMatch(/^Nora .{5,}$/);
  });

  test('is read page by page', async () => {
    const phone = await openServerManagement('/audit', {
      prepare: (fake) =>
        fake.on(listAudit, ({ query: { cursor } }) => ({
          items: [cursor === '2' ? line(1, { act: 'operator_granted' }) : line(2)],
          next_cursor: cursor === '2' ? null : '2',
        })),
    });
    const more = await screen.findByRole('button', { name: 'Show more' });
    phone.server.fail(listAudit);
    await phone.user.click(more);
    await findFailedRead(phone, listAudit);
    phone.server.heal(listAudit);
    await phone.user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByText('Nora made Bea an operator');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});
