import { cleanText } from '@sendlap/domain/names.ts';
import * as z from 'zod/mini';
import { Town, TownId } from './towns.ts';
import { endpoint } from './wire/endpoint.ts';

export const MAX_SERVER_NAME_LENGTH = 40;

/** One line of visible characters. */
export const ServerName = z.string().check(z.overwrite(cleanText), z.minLength(1), z.maxLength(MAX_SERVER_NAME_LENGTH));

export const AreaLoadAccess = z.enum(['everyone', 'operators']);

export const ServerProfile = z.object({
  /** The club's or the town's name for it; null: Sendlap. */
  name: z.nullable(z.string()),
  /** Where the map begins for a visitor without a position. */
  town: z.nullable(Town),
  /** Whether the map has streets. */
  has_streets: z.boolean(),
  /** Who may load the sport centers of an area. */
  area_loads: AreaLoadAccess,
  /** What other devices open first: the app, or the guide to trusting this server's certificate. */
  join_url: z.string(),
  /**
   * Whether the server has no operator whose account is not locked. Always false at a public address: strangers need not
   * know.
   */
  is_waiting_for_operator: z.boolean(),
});
export type ServerProfile = z.infer<typeof ServerProfile>;

export const getServerProfile = endpoint({
  method: 'GET',
  path: '/v1/server',
  summary: 'What this server is called, and where it is at home',
  access: 'anyone',
  data: ServerProfile,
});

export const updateServerProfile = endpoint({
  method: 'PATCH',
  path: '/v1/server',
  summary: 'Name this server, choose its town (null removes the choice), or say who may load areas',
  access: 'operator',
  body: z.strictObject({
    name: z.optional(z.nullable(ServerName)),
    town_id: z.optional(z.nullable(TownId)),
    area_loads: z.optional(AreaLoadAccess),
  }),
  data: ServerProfile,
  errors: ['town_unknown'],
});
