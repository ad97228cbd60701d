import { DELETED_USER_ID } from './deleted-user.ts';
import type { Tables } from './tables.ts';

/** New values of columns. */
type Values = Record<string, string | null>;

/** A column that leads to a person. */
export interface Link {
  column: string;
  /** Whose id it holds: the user's, or one that is the user's. `account_inside`: somewhere in a JSON text. */
  names: 'user' | 'session' | 'account' | 'account_inside' | 'activity' | 'chat';
  /** Only in rows where this column has this value. */
  when?: { column: string; equals: string };
  /**
   * `delete`: the row is theirs and goes with them. `replace`: it is somebody else's too, the deleted user takes the place.
   * `none`: theirs to read, and in itself nothing that leads to them.
   */
  erasure: 'delete' | 'replace' | 'none';
  /** What else in a row that stays leads to this person, and what it becomes. */
  also?: Values;
  /** What else in the row is this person's and nobody else's to read: what the export of another person shows there. */
  private?: Values;
  /** A row that leads to the person by this link alone is for somebody else's eyes: their export leaves it out. */
  is_hidden?: true;
}

export interface PersonalTable {
  table: keyof Tables;
  links: Link[];
  /** Hashes, sealed keys and one-time values: never exported. */
  secret?: string[];
  /** Who removes the rows that an erasure leaves although they still hold an id of the person. */
  removed_later_by?: string;
}

const own = (column = 'user_id', names: Link['names'] = 'user'): Link => ({ column, names, erasure: 'delete' });

/**
 * Every table that holds anything of a user, in an order in which rows can be deleted. The export and the erasure do
 * what stands here; a table that is in neither list fails a test.
 */
export const PERSONAL_TABLES: PersonalTable[] = [
  { table: 'refresh_tokens', links: [own('session_id', 'session')], secret: ['token_hash', 'parent_hash'] },
  {
    // Ended, but for some minutes still there: other nodes read in it which access tokens no longer count.
    table: 'sessions',
    links: [
      {
        column: 'user_id',
        names: 'user',
        erasure: 'replace',
        also: { device_name: '', key_thumbprint: null, id_token: null },
      },
    ],
    secret: ['id_token'],
    removed_later_by: 'removeErasedSessions',
  },
  { table: 'provider_password_resets', links: [own('account_id', 'account')], secret: ['token_hash'] },
  {
    table: 'provider_records',
    links: [own('payload', 'account_inside')],
    // Live codes and cookie values of the sign-in.
    secret: ['id', 'payload', 'grant_id', 'user_code', 'uid'],
  },
  { table: 'provider_accounts', links: [own('id', 'account')], secret: ['password_hash'] },
  { table: 'identities', links: [own()] },
  { table: 'devices', links: [own()], secret: ['key_encrypted'] },
  { table: 'referees', links: [own()] },
  { table: 'bio_info', links: [own()] },
  { table: 'deleted_bio_info', links: [own()] },
  { table: 'held_public_ids', links: [own()] },
  { table: 'user_locations', links: [own()] },
  { table: 'friendships', links: [own('user_low'), own('user_high')] },
  { table: 'friend_requests', links: [own('sender_id'), own('receiver_id')] },
  { table: 'friend_look_ups', links: [own()] },
  // Whom somebody blocked is theirs to know; who blocked somebody is not.
  { table: 'blocks', links: [own('blocker_id'), { ...own('blocked_id'), is_hidden: true }] },
  {
    table: 'reports',
    links: [
      { column: 'reporter_id', names: 'user', erasure: 'replace', also: { text: null } },
      // That there is a report, and of which messages, would say whose it is.
      { column: 'reported_id', names: 'user', erasure: 'replace', also: { text: null }, is_hidden: true },
    ],
  },
  {
    // What others wrote to an erased user is theirs and stays; what they wrote to somebody is that one's to keep.
    table: 'messages',
    links: [
      { column: 'sender_id', names: 'user', erasure: 'replace', also: { text: '' } },
      { column: 'chat_id', names: 'chat', erasure: 'none' },
    ],
  },
  {
    table: 'chats',
    links: [
      { column: 'user_low', names: 'user', erasure: 'replace' },
      { column: 'user_high', names: 'user', erasure: 'replace' },
      { column: 'created_by', names: 'user', erasure: 'replace' },
    ],
  },
  { table: 'push_subscriptions', links: [own()], secret: ['endpoint', 'p256dh', 'auth'] },
  { table: 'notification_choices', links: [own()] },
  // What they tell stands in the other tables, where it is known whose it is.
  { table: 'user_events', links: [own()], secret: ['data'] },
  { table: 'user_event_counters', links: [own()] },
  { table: 'board_scores', links: [own()] },
  // Removed by age; until then it says to whoever has not read it that somebody left the boards.
  { table: 'board_changes', links: [{ column: 'user_id', names: 'user', erasure: 'replace' }] },
  { table: 'athlete_weeks', links: [own()] },
  { table: 'badges', links: [own()] },
  { table: 'score_ledger', links: [own()] },
  {
    table: 'waiting_scans',
    links: [
      { ...own('athlete_id'), private: { activity_id: DELETED_USER_ID, scan: null } },
      { ...own('scanner_id'), private: { op_id: DELETED_USER_ID, scan: null } },
    ],
  },
  {
    table: 'validation_log',
    links: [
      {
        column: 'athlete_id',
        names: 'user',
        erasure: 'replace',
        also: { activity_id: DELETED_USER_ID, reason: null },
        private: { activity_id: DELETED_USER_ID },
      },
      {
        column: 'scanner_id',
        names: 'user',
        erasure: 'replace',
        also: { op_id: DELETED_USER_ID, reason: null },
        private: { op_id: DELETED_USER_ID, clock_offset_ms: null, clock_age_ms: null },
      },
    ],
  },
  {
    table: 'activity_ops',
    links: [
      { ...own(), private: { op_id: DELETED_USER_ID } },
      // A scan, and its withdrawal, is an op of whoever scanned, about an activity of somebody else.
      { column: 'activity_id', names: 'activity', when: { column: 'kind', equals: 'scan' }, erasure: 'replace' },
      { column: 'activity_id', names: 'activity', when: { column: 'kind', equals: 'withdraw' }, erasure: 'replace' },
    ],
    secret: ['body_hash'],
  },
  {
    table: 'decisions',
    links: [
      { ...own('athlete_id'), private: { activity_id: DELETED_USER_ID, facts: null } },
      {
        column: 'scanner_id',
        names: 'user',
        erasure: 'replace',
        also: { op_id: null, reason: null },
        private: { op_id: null },
      },
    ],
  },
  {
    table: 'activities',
    links: [own(), { column: 'decided_by', names: 'user', erasure: 'replace', also: { rejected_reason: null } }],
  },
  { table: 'invites', links: [{ column: 'used_by', names: 'user', erasure: 'replace' }], secret: ['code_hash'] },
  { table: 'users', links: [own('id')] },
];

/** The tables that hold nothing of anybody, and why. */
export const OTHER_TABLES: Record<string, string> = {
  kysely_migration: 'which migrations ran',
  kysely_migration_lock: 'which migrations ran',
  attempt_counts: 'counts by hashes, for an hour and a few minutes',
  request_counts: 'counts by hashes, for a day and a few minutes',
  used_proofs: 'hashes of random ids, for two minutes',
  sign_in_attempts: 'ten minutes before anybody is known; hashes and one-time values only',
  signing_keys: "the server's own keys",
  sport_centers: 'places',
  sport_facilities: 'places',
  sport_center_merges: 'places',
  sport_center_version: 'a number',
  kiosks: 'devices of places',
  kiosk_keys: 'keys of places',
};
