import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { StreetLoad } from '@sendlap/contract/map/street-loads.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ActivityTables } from './activity-tables.ts';
import type { ClaimTables } from './claim-tables.ts';
import type { DefaultNow, Json, Nullable, Time } from './column-types.ts';
import type { PeopleTables } from './people-tables.ts';

/** The tables that the migrations create: one interface per table, columns in the order of the migration. */
export interface Tables extends ActivityTables, ClaimTables, PeopleTables {
  users: {
    id: string;
    public_id: string;
    email: string;
    name: string;
    /** The name on leaderboards; null until the user chose one ("Athlete"). */
    display_name: string | null;
    /** False for an account that is locked until it is erased. */
    is_active: Generated<boolean>;
    created_at: DefaultNow;
    erase_after: Nullable<Date>;
    /** The database sets it at every change of the user or of the bio info. */
    changed_at: ColumnType<Date, never, never>;
    presence: Generated<boolean>;
    /** Whether leaderboards show the user to others. */
    boards: Generated<boolean>;
    /** Locked by an operator, until an operator lifts it. */
    suspended_at: Nullable<Date>;
  };
  identities: { issuer: string; subject: string; user_id: string; created_at: DefaultNow };
  sessions: {
    id: string;
    user_id: string;
    device_name: string;
    created_at: DefaultNow;
    last_used_at: DefaultNow;
    expires_at: Time;
    ended_at: Nullable<Date>;
    end_reason: Nullable<string>;
    /** Thumbprint of the browser's key that the session is bound to. */
    key_thumbprint: Nullable<string>;
    /** Encrypted; only while the session lives, if its provider needs the token at the sign-out. */
    id_token: Nullable<Buffer>;
    /** How often an unconfirmed refresh token was re-issued on the UTC day `reissued_on`. */
    reissues: Generated<number>;
    reissued_on: Nullable<string>;
  };
  attempt_counts: { key: string; points: number; expire: number | null };
  request_counts: { key: string; points: number; expire: number | null };
  used_proofs: {
    id_hash: Buffer;
    used_at: Time;
  };
  refresh_tokens: {
    token_hash: Buffer;
    session_id: string;
    generation: number;
    parent_hash: Buffer | null;
    issued_at: DefaultNow;
    /** When a child was first derived from the token. */
    rotated_at: Nullable<Date>;
    /** When the token, or an access token issued with it, was first used: this proves that the browser received it. */
    confirmed_at: Nullable<Date>;
  };
  sign_in_attempts: {
    state_hash: Buffer;
    cookie_hash: Buffer;
    browser_verifier_hash: Buffer;
    provider_verifier: string;
    nonce: string;
    redirect_uri: string;
    expires_at: Time;
  };
  signing_keys: { id: string; purpose: string; private_jwk: Buffer; created_at: DefaultNow };
  provider_accounts: {
    id: string;
    email: string;
    display_name: string;
    password_hash: string;
    created_at: DefaultNow;
    /** The e-mail, folded by `emailKey`. */
    email_key: string;
  };
  provider_records: {
    model: string;
    id: string;
    payload: Json;
    grant_id: string | null;
    user_code: string | null;
    uid: string | null;
    expires_at: ColumnType<Date | null, Date | null, Date | null>;
    consumed_at: Nullable<Date>;
    /** Whom the payload signs in; the database fills it. */
    account_id: GeneratedAlways<string | null>;
  };
  sport_centers: {
    id: string;
    name: string;
    address: string | null;
    city: string | null;
    country: string | null;
    latitude: number;
    longitude: number;
    phone: string | null;
    url: string | null;
    is_private: boolean | null;
    time_zone: string;
    source: string;
    source_ref: string;
    licence: string;
    attribution: string;
    other_names: Generated<string[]>;
    closed_at: Nullable<Date>;
    content_hash: string;
    created_at: DefaultNow;
    updated_at: DefaultNow;
    place_names: Generated<string[]>;
    /** The folded name. */
    search_name: string;
    /** All searchable texts, folded. */
    search_text: string;
    /** The folded city; '' without one. */
    search_city: string;
    /** The database sets it when the url changes, a load of an area when it adds the center. */
    url_changed_at: ColumnType<Date | null, never, Date | null>;
  };
  sport_facilities: {
    id: string;
    sport_center_id: string;
    type: Sport;
    created_at: DefaultNow;
    updated_at: DefaultNow;
  };
  sport_center_merges: { source: string; source_ref: string; sport_center_id: string };
  center_edits: {
    sport_center_id: string;
    version: number;
    /** Partial `EditableFacts`. */
    facts: Json;
    source_facts: Json;
    pool_lengths_m: Generated<number[]>;
  };
  center_hours: { sport_center_id: string; version: number; weekly: Json; closed_days: Json };
  backup_state: {
    is_only: Generated<boolean>;
    made_at: Nullable<Date>;
    bytes: Nullable<number>;
    failed_at: Nullable<Date>;
    failure: Nullable<string>;
  };
  sport_center_version: { is_only: Generated<boolean>; version: number; database_id: Generated<string> };
  user_locations: {
    user_id: string;
    latitude: number;
    longitude: number;
    accuracy_m: number | null;
    located_at: Time;
    sport_center_id: string | null;
    received_at: DefaultNow;
  };
  devices: {
    id: string;
    user_id: string;
    installation_id: string;
    name: string;
    key_encrypted: Buffer;
    created_at: DefaultNow;
    /** Revoked: valid only for earlier scans, and for 14 days. */
    revoked_at: Nullable<Date>;
    /** The sign-in that registered the key; its end revokes the key. */
    session_id: Nullable<string>;
    last_used_at: DefaultNow;
  };
  referees: {
    id: string;
    user_id: string;
    sport_center_id: string;
    sport_types: Sport[];
    granted_by: string;
    valid_from: Time;
    valid_until: Nullable<Date>;
    revoked_at: Nullable<Date>;
  };
  user_events: { user_id: string; seq: number; type: string; data: Json; created_at: DefaultNow };
  user_event_counters: { user_id: string; last_seq: number };
  bio_info: {
    id: string;
    user_id: string;
    client_id: string | null;
    age: number;
    weight_kg: number;
    height_cm: number;
    /** null: not specified. */
    male: boolean | null;
    created_at: DefaultNow;
    updated_at: DefaultNow;
  };
  /** Idempotency keys of saves whose data was deleted. */
  deleted_bio_info: { user_id: string; client_id: string };
  held_public_ids: { public_id: string; user_id: string; held_until: Time };
  operators: { user_id: string; granted_at: DefaultNow };
  managers: { user_id: string; sport_center_id: string; granted_at: DefaultNow };
  server_profile: {
    is_only: Generated<boolean>;
    name: string | null;
    town: Json | null;
    area_loads: Generated<'everyone' | 'operators'>;
  };
  area_loads: {
    id: string;
    town_id: Nullable<string>;
    name: string;
    west: number;
    south: number;
    east: number;
    north: number;
    status: Generated<AreaLoad['status']>;
    fetched: Generated<number>;
    total: Generated<number>;
    retry_at: Nullable<Date>;
    report: ColumnType<AreaLoad['report'], never, string | null>;
    failure: ColumnType<string | null, never, string | null>;
    requested_by: string;
    is_shared: Generated<boolean>;
    requested_at: DefaultNow;
    finished_at: Nullable<Date>;
    attempts: Generated<number>;
  };
  street_loads: {
    id: string;
    town_id: string;
    name: string;
    status: Generated<StreetLoad['status']>;
    fetched: Generated<number>;
    total: Generated<number>;
    radius_km: Nullable<number>;
    failure: Nullable<string>;
    requested_by: string;
    requested_at: DefaultNow;
    finished_at: Nullable<Date>;
    attempts: Generated<number>;
  };
  /** Who did what with a right; `actor_id` null: the operator CLI or the server; `subject_id`: to whom it was done. */
  audit_entries: {
    id: Generated<number>;
    at: DefaultNow;
    actor_id: string | null;
    subject_id: Nullable<string>;
    act: string;
    details: Json;
    /** Why; about the subject. */
    reason: Nullable<string>;
  };
  /** Suspicions that an operator left as they are; `athlete_id` is the scanner again unless it is about a pair. */
  kept_reviews: { kind: string; scanner_id: string; athlete_id: string; kept_at: Time };
  provider_password_resets: { token_hash: Buffer; account_id: string; created_at: DefaultNow; expires_at: Time };
  provider_sign_ups: { token_hash: Buffer; email: string; email_key: string; expires_at: Time };
}
