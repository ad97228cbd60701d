import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { InviteSecret, Sport, Timestamp, Uuid } from './wire/schemas.ts';

/** The key for one day in the center's zone; `key`: 32 random bytes as base64url. */
export const KioskKey = z.object({ key_id: Uuid, key: z.string(), valid_from: Timestamp, valid_until: Timestamp });
export type KioskKey = z.infer<typeof KioskKey>;

const KioskCenter = z.object({
  id: Uuid,
  name: z.string(),
  city: z.nullable(z.string()),
  time_zone: z.string(),
  sports: z.array(Sport),
});
/** Keys for today and the next seven days: so long a kiosk shows codes without a network. `now`: the server's clock. */
const keyFields = { center: KioskCenter, keys: z.array(KioskKey), now: Timestamp };

export const pairKiosk = endpoint({
  method: 'POST',
  path: '/v1/kiosks/pair',
  summary: "Make this tablet a center's kiosk by a one-time code",
  access: 'anyone',
  body: z.strictObject({ code: InviteSecret }),
  /** `token`: opaque; valid only for the kiosk's own calls, until it is revoked. */
  data: z.object({ token: z.string(), ...keyFields }),
  status: 201,
  limit: { max: 10, window_s: 3600 },
  errors: ['invite_unknown', 'invite_invalid'],
});

export const listKioskKeys = endpoint({
  method: 'GET',
  path: '/v1/kiosks/me/keys',
  summary: 'The keys of the next eight days',
  access: 'kiosk',
  data: z.object(keyFields),
});

export const getKioskBoard = endpoint({
  method: 'GET',
  path: '/v1/kiosks/me/board',
  summary: "This week's board of the center, as everyone in the room may see it",
  access: 'kiosk',
  data: z.object({
    key: z.string(),
    starts_on: z.string(),
    ends_on: z.string(),
    total: z.number(),
    /** `name`: null until the athlete chose one; shown as "Athlete". */
    items: z.array(z.object({ rank: z.number(), name: z.nullable(z.string()), points: z.number() })),
    now: Timestamp,
  }),
});
