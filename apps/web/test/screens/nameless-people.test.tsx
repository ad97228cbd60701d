import { syncActivities } from '@sendlap/contract/activities.ts';
import { type GivenDecision, listGivenDecisions } from '@sendlap/contract/decisions.ts';
import { listPresentUsers } from '@sendlap/contract/locations.ts';
import { type Appeal, listAppeals, listMyRefereeRights, type RefereeRight } from '@sendlap/contract/referees.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { findTraces, readStores } from '../device/browser-stores.ts';
import { stubMap } from '../device/stub-map.ts';
import { activityOf } from '../models/activity-model.ts';
import { answerCenter, POOL } from '../models/pool.ts';
import { openApp } from '../open-app.ts';
import { athlete, EVE } from '../people.ts';
import { openAppWithActivities, pathOf } from '../scenes/activity-scene.ts';
import { activityCode, pathOfCode } from '../scenes/scanner-scene.ts';
import { findSection, ManagedCenter, openManagement } from './managed-center.ts';

const SWIM = activityOf(1, POOL);
const TIMES = { started_at: '2026-11-20T10:00:00.000Z', ended_at: '2026-11-20T10:45:00.000Z' };
const AT = '2026-11-20T11:00:00.000Z';
const FACTS = { client_id: SWIM.client_id, athlete: DEFAULT_DISPLAY_NAME, sport_type: 'swimming', ...TIMES } as const;
const APPEAL: Appeal = {
  ...FACTS,
  sport_center_name: POOL.name,
  appealed_at: AT,
  open_until: '2026-11-20T23:00:00.000Z',
  reason: null,
};
const DECISION: GivenDecision = {
  ...FACTS,
  op_id: SWIM.client_id,
  sport_center_name: POOL.name,
  method: 'referee',
  decision: 'confirm',
  outcome: 'in_force',
  can_withdraw: false,
  scanned_at: AT,
};

/** The server says `Athlete` of a person without a name of their own; the screen says it in the reader's language. */
const expectTranslated = () => expect(document.body.textContent).not.toContain(DEFAULT_DISPLAY_NAME);

const RIGHT: RefereeRight = {
  sport_center_id: POOL.id,
  sport_center_name: POOL.name,
  sport_types: ['swimming'],
  valid_until: null,
};

test('a referee reads decisions and requests of athletes without a name in Spanish', async () => {
  await openApp({
    path: '/qr/decisions',
    now: '2026-11-20T12:00:00Z',
    language: 'es',
    prepare(server) {
      server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null }));
      server.on(listAppeals, () => ({ items: [APPEAL], next_cursor: null }));
      server.on(listGivenDecisions, () => ({ items: [DECISION], next_cursor: null }));
    },
  });
  await expect.poll(() => screen.queryAllByText('Deportista')).toHaveLength(2);
  expectTranslated();
});

test('a referee reads in Spanish for whom a confirmation counts, also for an athlete without a name', async () => {
  const now = '2026-11-20T10:46:00Z';
  const swim = { ...SWIM, ended_at: '2026-11-20T10:45:00.000Z' };
  const phone = await openApp({
    path: '/qr/scan',
    now,
    language: 'es',
    prepare(server) {
      answerCenter(server);
      server.on(listMyRefereeRights, () => ({ items: [RIGHT], next_cursor: null }));
      server.on(syncActivities, ({ body }) => ({
        results: body.ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' as const })),
      }));
    },
  });
  await waitFor(async () => expect(findTraces(await readStores(), { right: 'referee_rights' })).not.toEqual([]));
  await phone.reload(pathOfCode(activityCode(swim, athlete('', 5, { public_id: 'ana' }), now)));
  const card = within(await screen.findByRole('dialog', { name: '¿Es correcto?' }));
  await card.findByText('Deportista');
  await phone.user.click(await card.findByRole('button', { name: 'Confirmar' }));
  await screen.findByText('Ya cuenta para Deportista.');
});

test('a manager reads the appeal of an athlete without a name in Spanish', async () => {
  const center = new ManagedCenter();
  const { appealed_at: _, sport_center_name: __, ...appeal } = APPEAL;
  center.appeals = [{ ...appeal, referees: [], can_decide: false }];
  await openManagement({ center, language: 'es' });
  await (await findSection('Solicitudes de otro árbitro')).findByText('Deportista');
  expectTranslated();
});

test('an athlete reads in Spanish that a friend without a name has confirmed', async () => {
  const { activities } = await openAppWithActivities({
    path: pathOf(SWIM),
    first: [{ ...SWIM, status: 'validated', validation: 'peer', points: 331 }],
    language: 'es',
  });
  const attempt = { method: 'peer', decision: 'confirm', outcome: 'in_force', code: null, reason: null } as const;
  activities.setDetail(SWIM.client_id, {
    proofs: [{ ...attempt, at: AT, by: DEFAULT_DISPLAY_NAME, distance_class: 'at', count: 1 }],
  });
  await screen.findByText('Confirmación de Deportista (amistad)');
  expectTranslated();
});

test('an athlete reads in Spanish that a friend without a name is at the center', async () => {
  stubMap();
  const { id, public_id } = EVE;
  const nameless = { id, public_id, name: DEFAULT_DISPLAY_NAME, sport_center_id: POOL.id, is_nearby: true };
  await openApp({
    path: `/sport-centers/${POOL.id}`,
    language: 'es',
    prepare(server) {
      answerCenter(server);
      server.on(listPresentUsers, () => [nameless]);
    },
  });
  const title = await screen.findByRole('heading', { name: 'Amigos que están aquí' });
  within(title.closest('section') as HTMLElement).getByText('Deportista');
  expectTranslated();
});
