import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { page, Timestamp, Uuid } from '../wire/schemas.ts';

/** The state of the server. A reply also shows that the database answers. */
export const ServerOverview = z.object({
  version: z.string(),
  database_bytes: z.number(),
  /** Of the file system of `DATA_DIR`; null if it cannot be read. */
  disk: z.nullable(z.object({ free_bytes: z.number(), total_bytes: z.number() })),
  /** Backups that the server makes by itself; null if it makes none. */
  backups: z.nullable(
    z.object({
      /** When the latest verified backup was made; null: none yet. */
      made_at: z.nullable(Timestamp),
      /** Its size; null: none yet. */
      bytes: z.nullable(z.number()),
      /** The latest attempt failed; the server's log says why. */
      has_failed: z.boolean(),
    }),
  ),
  /** Whether the server sends mails. */
  has_mail: z.boolean(),
  /** Whether this server keeps accounts with passwords, so that an operator can create some. */
  has_accounts: z.boolean(),
  /** Devices that get notifications. */
  push_devices: z.number(),
  /** Loads of areas under way. */
  running_loads: z.number(),
  counts: z.object({
    people: z.number(),
    /** Users who signed up in the last 7 days. */
    new_people: z.number(),
    /** Centers that are open. */
    centers: z.number(),
    /** Centers with a referee or a kiosk. */
    staffed_centers: z.number(),
    /** Activities that began in the last 7 days. */
    activities: z.number(),
    open_reports: z.number(),
    open_reviews: z.number(),
    /** Requests to manage a center that wait for an answer. */
    open_claims: z.number(),
  }),
});
export type ServerOverview = z.infer<typeof ServerOverview>;

export const getServerOverview = endpoint({
  method: 'GET',
  path: '/v1/manage/overview',
  summary: 'The state of this server, and how much waits for its operators',
  access: 'operator',
  data: ServerOverview,
});

/** A center with a referee or a kiosk. */
export const StaffedCenter = z.object({
  id: Uuid,
  name: z.string(),
  city: z.nullable(z.string()),
  is_closed: z.boolean(),
  referees: z.number(),
  kiosks: z.number(),
  /** When one of its kiosks was last used, accurate to an hour; null without a kiosk. */
  kiosk_used_at: z.nullable(Timestamp),
});
export type StaffedCenter = z.infer<typeof StaffedCenter>;

export const listStaffedCenters = endpoint({
  method: 'GET',
  path: '/v1/manage/centers',
  summary: 'The centers with a referee or a kiosk, by name; at most 500, on one page',
  access: 'operator',
  data: page(StaffedCenter),
});
