import { DELETED_USER_ID } from './deleted-user.ts';
import type { Tables } from './tables.ts';

/** New values of columns. */
type ColumnValues = Record<string, string | null>;

/** A column that refers to a person. */
export interface Link {
  column: string;
  /** The kind of id: the user's own, or of something the user owns. */
  refers_to: 'user' | 'session' | 'account' | 'chat';
  /**
   * `delete`: the row belongs to the person and is deleted. `replace`: the row belongs to another user too; the deleted
   * user takes the person's place. `none`: the person may read the row, and it does not identify the person.
   */
  erasure: 'delete' | 'replace' | 'none';
  /** Other columns that identify this person in a row that stays, with their new values. */
  cleared_values?: ColumnValues;
  /** Columns that only this person may read, with the values that other persons' exports show instead. */
  private_values?: ColumnValues;
  /** If only this link refers to the person, the row is for other users' eyes: the person's export omits it. */
  is_hidden?: true;
}

export interface PersonalTable {
  table: keyof Tables;
  links: Link[];
  /** Hashes, encrypted keys, one-time values and copies of what other tables hold: never exported. */
  secret_columns?: string[];
  /** The job that removes the rows with an id of the person that an erasure leaves. */
  removed_later_by?: string;
}

const ownedBy = (column = 'user_id', refers_to: Link['refers_to'] = 'user'): Link => ({
  column,
  refers_to,
  erasure: 'delete',
});

/**
 * Every table with data of a user, in an order in which rows can be deleted. Export and erasure follow this list; a
 * table that is in neither list fails a test.
 */
export const PERSONAL_TABLES: PersonalTable[] = [
  { table: 'refresh_tokens', links: [ownedBy('session_id', 'session')], secret_columns: ['token_hash', 'parent_hash'] },
  {
    // Kept for some minutes after the end: other nodes read here which access tokens are invalid.
    table: 'sessions',
    links: [
      {
        column: 'user_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { device_name: '', key_thumbprint: null, id_token: null },
      },
    ],
    secret_columns: ['id_token'],
    removed_later_by: 'removeErasedSessions',
  },
  { table: 'provider_password_resets', links: [ownedBy('account_id', 'account')], secret_columns: ['token_hash'] },
  {
    table: 'provider_records',
    links: [ownedBy('account_id', 'account')],
    // Live codes and cookie values of the sign-in.
    secret_columns: ['id', 'payload', 'grant_id', 'user_code', 'uid'],
  },
  { table: 'provider_accounts', links: [ownedBy('id', 'account')], secret_columns: ['password_hash'] },
  { table: 'identities', links: [ownedBy()] },
  { table: 'devices', links: [ownedBy()], secret_columns: ['key_encrypted'] },
  { table: 'referees', links: [ownedBy()] },
  { table: 'operators', links: [ownedBy()] },
  { table: 'managers', links: [ownedBy()] },
  { table: 'center_claims', links: [ownedBy()], secret_columns: ['secret_hash'] },
  { table: 'area_loads', links: [{ column: 'requested_by', refers_to: 'user', erasure: 'replace' }] },
  { table: 'street_loads', links: [{ column: 'requested_by', refers_to: 'user', erasure: 'replace' }] },
  {
    table: 'audit_entries',
    links: [
      { column: 'actor_id', refers_to: 'user', erasure: 'replace' },
      {
        column: 'subject_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { reason: null },
        // About the subject, not about the operator who wrote it.
        private_values: { reason: null },
      },
    ],
  },
  {
    // The scanner may read that an operator looked at their decisions and left them as they are.
    table: 'kept_reviews',
    links: [ownedBy('scanner_id'), { ...ownedBy('athlete_id'), is_hidden: true }],
  },
  { table: 'bio_info', links: [ownedBy()] },
  { table: 'deleted_bio_info', links: [ownedBy()] },
  { table: 'held_public_ids', links: [ownedBy()] },
  { table: 'user_locations', links: [ownedBy()] },
  { table: 'friendships', links: [ownedBy('user_low'), ownedBy('user_high')] },
  { table: 'friend_requests', links: [ownedBy('sender_id'), ownedBy('receiver_id')] },
  { table: 'friend_look_ups', links: [ownedBy()] },
  // A user may know whom they blocked, but not who blocked them.
  { table: 'blocks', links: [ownedBy('blocker_id'), { ...ownedBy('blocked_id'), is_hidden: true }] },
  {
    table: 'reports',
    links: [
      {
        column: 'reporter_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { text: null, outcome_reason: null },
      },
      // The existence of a report and its messages would reveal the reporter.
      {
        column: 'reported_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { text: null, outcome_reason: null },
        is_hidden: true,
      },
      // The report is not the operator's, and its reporter does not read what the operator wrote.
      {
        column: 'handled_by',
        refers_to: 'user',
        erasure: 'replace',
        private_values: { outcome_reason: null },
        is_hidden: true,
      },
    ],
  },
  {
    // Messages that others wrote to an erased user are theirs and stay. A user's export includes the messages received.
    table: 'messages',
    links: [
      { column: 'sender_id', refers_to: 'user', erasure: 'replace', cleared_values: { text: '' } },
      { column: 'chat_id', refers_to: 'chat', erasure: 'none' },
    ],
  },
  {
    table: 'chats',
    links: [
      { column: 'user_low', refers_to: 'user', erasure: 'replace' },
      { column: 'user_high', refers_to: 'user', erasure: 'replace' },
      { column: 'created_by', refers_to: 'user', erasure: 'replace' },
    ],
  },
  { table: 'push_subscriptions', links: [ownedBy()], secret_columns: ['endpoint', 'p256dh', 'auth'] },
  { table: 'notification_choices', links: [ownedBy()] },
  // The other tables hold the facts of these events, with their owners.
  { table: 'user_events', links: [ownedBy()], secret_columns: ['data'] },
  { table: 'user_event_counters', links: [ownedBy()] },
  { table: 'board_scores', links: [ownedBy()] },
  // Removed by age; until then it tells nodes that have not read it yet that a user left the boards.
  { table: 'board_changes', links: [{ column: 'user_id', refers_to: 'user', erasure: 'replace' }] },
  { table: 'athlete_weeks', links: [ownedBy()] },
  { table: 'badges', links: [ownedBy()] },
  { table: 'score_ledger', links: [ownedBy()] },
  {
    table: 'waiting_scans',
    links: [
      { ...ownedBy('athlete_id'), private_values: { activity_id: DELETED_USER_ID, scan: null } },
      { ...ownedBy('scanner_id'), private_values: { op_id: DELETED_USER_ID, scan: null } },
    ],
  },
  {
    table: 'validation_log',
    links: [
      {
        column: 'athlete_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { activity_id: DELETED_USER_ID, reason: null },
        private_values: { activity_id: DELETED_USER_ID },
      },
      {
        column: 'scanner_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { op_id: DELETED_USER_ID, reason: null },
        private_values: { op_id: DELETED_USER_ID, clock_offset_ms: null, clock_age_ms: null },
      },
    ],
  },
  {
    table: 'activity_ops',
    links: [
      { ...ownedBy(), private_values: { op_id: DELETED_USER_ID } },
      // A scan, or its withdrawal, is an op of the scanner about another athlete's activity.
      {
        column: 'athlete_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { activity_id: DELETED_USER_ID },
        private_values: { activity_id: DELETED_USER_ID },
      },
    ],
    secret_columns: ['body_hash'],
  },
  {
    table: 'decisions',
    links: [
      { ...ownedBy('athlete_id'), private_values: { activity_id: DELETED_USER_ID, facts: null } },
      {
        column: 'scanner_id',
        refers_to: 'user',
        erasure: 'replace',
        cleared_values: { op_id: null, reason: null },
        private_values: { op_id: null },
      },
    ],
  },
  {
    table: 'activities',
    links: [
      ownedBy(),
      { column: 'decided_by', refers_to: 'user', erasure: 'replace', cleared_values: { rejected_reason: null } },
    ],
  },
  {
    table: 'invites',
    links: [{ column: 'used_by', refers_to: 'user', erasure: 'replace' }],
    secret_columns: ['code_hash'],
  },
  { table: 'users', links: [ownedBy('id')] },
];

/** The tables without personal data, and why. */
export const NON_PERSONAL_TABLES: Record<string, string> = {
  kysely_migration: 'which migrations ran',
  kysely_migration_lock: 'which migrations ran',
  attempt_counts: 'counts by hashes, for a day and a few minutes',
  request_counts: 'counts by hashes, for a day and a few minutes',
  used_proofs: 'hashes of random ids, for two minutes',
  sign_in_attempts: 'ten minutes before the user is known; hashes and one-time values only',
  provider_sign_ups: 'addresses without an account; removed by the link of the mail, or after a day and some minutes',
  signing_keys: "the server's own keys",
  sport_centers: 'centers',
  sport_facilities: 'centers',
  sport_center_merges: 'centers',
  sport_center_version: 'a number, and the id of the database',
  center_edits: 'facts of centers',
  center_hours: 'facts of centers',
  server_profile: "the server's name and town",
  backup_state: 'when the server made its last backup',
  kiosks: 'devices of centers',
  kiosk_keys: 'keys of centers',
};
