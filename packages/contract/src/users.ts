import { MAX_DISPLAY_NAME_LENGTH } from '@sendlap/domain/names.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Empty, page, Timestamp, Uuid } from './wire/schemas.ts';

/** `age`, `weight_kg` and `height_cm` come from the bio info and are 0 without it. */
export const User = z.object({
  id: Uuid,
  email: z.string(),
  name: z.string(),
  public_id: z.string(),
  age: z.number(),
  weight_kg: z.number(),
  height_cm: z.number(),
  is_active: z.boolean(),
  created_at: Timestamp,
});
export type User = z.infer<typeof User>;

const LocalTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:MM'));

/** Each browser decides whether it gets pushes (`createPushSubscription`); these choices are about their subjects. */
export const NotificationChoices = z.strictObject({
  messages: z.boolean(),
  friends: z.boolean(),
  proofs: z.boolean(),
  /** Whether a notification may show the message's text, not only its sender. */
  show_text: z.boolean(),
  /** Local times (HH:MM) between which no push is sent; across midnight if `until` is earlier. null: never quiet. */
  quiet_hours: z.nullable(
    z.strictObject({ from: LocalTime, until: LocalTime, time_zone: z.string().check(z.maxLength(64)) }),
  ),
});
export type NotificationChoices = z.infer<typeof NotificationChoices>;

/** Any subset. Quiet hours are one value: both times and their time zone. */
export const NotificationChanges = z.partial(NotificationChoices);
export type NotificationChanges = z.infer<typeof NotificationChanges>;

export const Settings = z.object({
  /** The name on leaderboards and kiosks; null until the user chose one: they show "Athlete". */
  display_name: z.nullable(z.string()),
  /** Whether friends may see at which center I am. */
  presence: z.boolean(),
  /** Whether leaderboards show me to others; my points count either way. */
  boards: z.boolean(),
  notifications: NotificationChoices,
});
export type Settings = z.infer<typeof Settings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/v1/users/settings',
  summary: 'My settings',
  access: 'user',
  data: Settings,
});

export const updateSettings = endpoint({
  method: 'PATCH',
  path: '/v1/users/settings',
  summary: 'Change settings; fields left out stay',
  access: 'user',
  // UTF-16 units here; the server counts code points after trimming.
  body: z.strictObject({
    display_name: z.optional(z.string().check(z.minLength(1), z.maxLength(4 * MAX_DISPLAY_NAME_LENGTH))),
    presence: z.optional(z.boolean()),
    boards: z.optional(z.boolean()),
    /** Here too omitted fields stay: another device may have changed them. */
    notifications: z.optional(NotificationChanges),
  }),
  data: Settings,
  limit: { max: 120, window_s: 3600 },
  errors: ['presence_not_allowed', 'boards_not_allowed'],
});

/** A session of mine. `device_name` is empty if the browser did not send one. */
export const UserSession = z.object({
  id: Uuid,
  device_name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type UserSession = z.infer<typeof UserSession>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/v1/users/sessions',
  summary: 'Where I am signed in, last used first; at most 100, on one page',
  access: 'user',
  while_locked: true,
  data: page(UserSession),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/v1/users/sessions/:id',
  summary: 'Sign one of my devices out, within 5 s on every node',
  access: 'user',
  while_locked: true,
  params: z.strictObject({ id: Uuid }),
  data: Empty,
  errors: ['session_not_found', 'account_locked'],
});

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/v1/users/sessions',
  summary: 'Sign out everywhere, this device included',
  access: 'user',
  while_locked: true,
  data: Empty,
});

export const deleteMe = endpoint({
  method: 'DELETE',
  path: '/v1/users/me',
  summary: 'Lock my account at once, on every device, and erase it after 7 days',
  access: 'user',
  while_locked: true,
  data: z.object({ erase_after: Timestamp }),
});

export const getDeletion = endpoint({
  method: 'GET',
  path: '/v1/users/me/deletion',
  summary: 'When my locked account will be erased; null for one that is not locked',
  access: 'user',
  while_locked: true,
  data: z.object({
    erase_after: z.nullable(Timestamp),
    /** Locked by an operator: its owner cannot unlock it. */
    is_suspended: z.boolean(),
  }),
});

export const restoreMe = endpoint({
  method: 'POST',
  path: '/v1/users/me/restore',
  summary: 'Undo the deletion. The access token stays locked: refresh it',
  access: 'user',
  while_locked: true,
  data: z.object({ user: User }),
  errors: ['account_not_locked', 'account_suspended'],
});

/** Two replies that are files without an envelope, so no `endpoint`s: at most 2 per day and user, both combined. */
export const EXPORT_PATH = '/v1/users/me/export';
export const EXPORT_ACTIVITIES_PATH = '/v1/users/me/export/activities.csv';
export const EXPORTS_A_DAY = 2;
