import type { Chat } from '@sendlap/contract/chats.ts';
import type { Person } from '@sendlap/contract/friends.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { scoreActivity } from '@sendlap/domain/scoring.ts';
import { activityOf } from '#test/models/activity-model.ts';
import { POOL } from '#test/models/pool.ts';
import { athlete } from '#test/people.ts';
import { center } from '#test/unit/fake-center.ts';
import { type ActivityView, mergeActivities } from '#web/features/activities/data/activity-view.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The time of the gallery is fixed, so that its examples agree with each other. */
export const NOW = Date.now();
export const before = (ms: number) => new Date(NOW - ms).toISOString();
export const dateBefore = (ms: number) => before(ms).slice(0, 10);

export const LONG_NAME = 'María de los Ángeles Fernández-Villaverde y Gutiérrez de la Concha';
export const RTL_NAME = 'سارة القحطاني';
export const LONG_CENTER_NAME = 'Centro Deportivo Municipal Wanda Metropolitano-Peineta de San Blas-Canillejas';

export const HALL = center(2, {
  name: 'Sharma Climbing',
  address: 'CALLE DE JULIÁN CAMARILLO 21',
  city: 'Madrid',
  phone: '+34 910 000 000',
  url: 'https://sharmaclimbing.example/madrid',
  is_private: false,
});
export const LONG_CENTER = center(3, {
  name: LONG_CENTER_NAME,
  address: 'Avenida de Luis Aragonés, 4, entrada por la calle de los Suecos, puerta norte',
  city: 'Madrid',
  phone: '+34 910 000 001; +34 910 000 002',
  url: 'https://www.centrodeportivomunicipalwandametropolitano.example/instalaciones/piscina',
  sport_facilities: [...POOL.sport_facilities, ...HALL.sport_facilities],
});

const personOf = ({ id, name, public_id }: Person): Person => ({ id, name, public_id });
export const NORA = personOf(athlete('Nora', 1));
export const LONG_PERSON = personOf(athlete(LONG_NAME, 2, { public_id: 'maria_de_los_angeles.fernandez' }));
export const RTL_PERSON = personOf(athlete(RTL_NAME, 3, { public_id: 'sara.q' }));
export const NAMELESS = personOf(athlete(DEFAULT_DISPLAY_NAME, 4, { public_id: 'k7m2p9' }));
export const PEOPLE = [NORA, LONG_PERSON, RTL_PERSON, NAMELESS];

/** The chat with a person. */
export function chatWith(person: Person): Chat {
  return {
    id: '44444444-4444-4444-8444-444444444444',
    name: person.name,
    sender: person,
    receiver: NORA,
    other_participant: person,
    latest_message_preview: null,
    latest_message_at: null,
    latest_message_sender_id: null,
    unreadCount: 0,
    last_seq: 0,
    can_send: true,
  };
}

type Facts = Parameters<typeof activityOf>[2];

/** A climb of 95 minutes that ended an hour ago, as the screens get it from the server. */
export function climb(number: number, facts: Facts = {}): ActivityView {
  return viewOf(number, HALL, {
    sport_type: 'climbing',
    started_at: before(HOUR_MS + 95 * MINUTE_MS),
    ended_at: before(HOUR_MS),
    ...facts,
  });
}

/** A swim of 1,250 m in 45 minutes that ended three hours ago, at the center with the long name. */
export function swim(number: number, facts: Facts = {}): ActivityView {
  return viewOf(number, LONG_CENTER, {
    started_at: before(3 * HOUR_MS + 45 * MINUTE_MS),
    ended_at: before(3 * HOUR_MS),
    distance_m: 1250,
    ...facts,
  });
}

function viewOf(number: number, place: Parameters<typeof activityOf>[1], facts: Facts): ActivityView {
  const activity = activityOf(number, place, { rule_version: 'met-2', ...facts });
  const { sport_type, intensity, distance_m, ended_at, paused_s, started_at } = activity;
  const score =
    ended_at === null
      ? null
      : scoreActivity({
          rule_version: 'met-2',
          sport_type,
          intensity,
          distance_m,
          paused_s,
          started_at: Date.parse(started_at),
          ended_at: Date.parse(ended_at),
          intensity_confirmed: false,
          distance_confirmed: false,
        });
  const scored = { score, potential_points: score?.points ?? 0, ...facts };
  const [view] = mergeActivities({ ops: [], dead: [], activities: [] }, [{ ...activity, ...scored }]);
  if (!view) throw new Error('a deleted activity has no view');
  return view;
}

const VALIDATED = { status: 'validated', points: 1240 } as const;

type ActivityState =
  | 'waiting'
  | 'saved'
  | 'confirmed'
  | 'confirmed_by_friend'
  | 'confirmed_by_kiosk'
  | 'rejected'
  | 'refused'
  | 'too_late'
  | 'too_short'
  | 'running';

/** An activity in each state of its proof. */
export const ACTIVITIES: Record<ActivityState, ActivityView> = {
  waiting: climb(1, { intensity: 'hard' }),
  saved: { ...swim(2), proof: 'saved' },
  confirmed: climb(3, { ...VALIDATED, validation: 'referee' }),
  confirmed_by_friend: swim(4, { ...VALIDATED, points: 235, validation: 'peer' }),
  confirmed_by_kiosk: swim(5, { ...VALIDATED, points: 235, validation: 'venue' }),
  rejected: climb(6, { status: 'rejected', rejected_reason: 'No te vi en la sala a esa hora.', can_appeal: true }),
  refused: {
    ...swim(7),
    proof: 'refused',
    refusal: { code: 'activity_overlap', message: '', proposals: [], kinds: ['finish'], had_ended: false },
  },
  too_late: swim(8, { started_at: before(2 * DAY_MS), ended_at: before(2 * DAY_MS - HOUR_MS), paused_s: 600 }),
  too_short: climb(9, { started_at: before(HOUR_MS + 4 * MINUTE_MS) }),
  running: climb(10, { status: 'active', ended_at: null, started_at: before(25 * MINUTE_MS) }),
};
