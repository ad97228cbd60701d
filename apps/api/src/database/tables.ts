import type { Sport } from '@sendlap/domain/scoring.ts';
import type { ColumnType, Generated } from 'kysely';
import type { ActivityTables } from './activity-tables.ts';
import type { Json, Now, Nullable, Time } from './column-types.ts';
import type { PeopleTables } from './people-tables.ts';

/** The tables as the migrations make them; one interface a table, columns in the order of the migration. */
export interface Tables extends ActivityTables, PeopleTables {
  users: {
    id: string;
    public_id: string;
    email: string;
    name: string;
    /** What boards show; null until the user chose it ("Athlete"). */
    display_name: string | null;
    /** False for an account that is locked until it is erased. */
    is_active: Generated<boolean>;
    created_at: Now;
    erase_after: Nullable<Date>;
    /** Set by the database at every change of the user or of the bio info. */
    changed_at: ColumnType<Date, never, never>;
    presence: Generated<boolean>;
    /** Whether others see the user on boards. */
    boards: Generated<boolean>;
  };
  identities: { issuer: string; subject: string; user_id: string; created_at: Now };
  sessions: {
    id: string;
    user_id: string;
    device_name: string;
    created_at: Now;
    last_used_at: Now;
    expires_at: Time;
    ended_at: Nullable<Date>;
    end_reason: Nullable<string>;
    /** Of the browser's key that it is bound to. */
    key_thumbprint: Nullable<string>;
    /** Sealed, of a live session that has to be shown to its provider at the sign-out. */
    id_token: Nullable<Buffer>;
    /** How often an unconfirmed refresh token was given again on the UTC day `reissued_on`. */
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
    issued_at: Now;
    /** When a child was first derived from it. */
    rotated_at: Nullable<Date>;
    /** When it, or an access token issued with it, was first used, which proves that it was received. */
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
  signing_keys: { id: string; purpose: string; private_jwk: Buffer; created_at: Now };
  provider_accounts: {
    id: string;
    email: string;
    display_name: string;
    password_hash: string;
    created_at: Now;
    /** The e-mail as `emailKey` folds it. */
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
    created_at: Now;
    updated_at: Now;
    place_names: Generated<string[]>;
    /** The folded name. */
    search_name: string;
    /** All searchable texts, folded. */
    search_text: string;
    /** The folded city, '' where there is none. */
    search_city: string;
  };
  sport_facilities: {
    id: string;
    sport_center_id: string;
    type: Sport;
    created_at: Now;
    updated_at: Now;
  };
  sport_center_merges: { source: string; source_ref: string; sport_center_id: string };
  sport_center_version: { is_only: Generated<boolean>; version: number; database_id: Generated<string> };
  user_locations: {
    user_id: string;
    latitude: number;
    longitude: number;
    accuracy_m: number | null;
    located_at: Time;
    sport_center_id: string | null;
    received_at: Now;
  };
  devices: {
    id: string;
    user_id: string;
    installation_id: string;
    name: string;
    key_encrypted: Buffer;
    created_at: Now;
    /** Given up: good for scans from before only, and for 14 days. */
    revoked_at: Nullable<Date>;
    /** The sign-in that registered it; with its end the key is given up. */
    session_id: Nullable<string>;
    last_used_at: Now;
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
  user_events: { user_id: string; seq: number; type: string; data: Json; created_at: Now };
  user_event_counters: { user_id: string; last_seq: number };
  bio_info: {
    id: string;
    user_id: string;
    client_id: string | null;
    age: number;
    weight_kg: number;
    height_cm: number;
    /** null: not said. */
    male: boolean | null;
    created_at: Now;
    updated_at: Now;
  };
  /** Idempotency keys of saves whose data was deleted. */
  deleted_bio_info: { user_id: string; client_id: string };
  held_public_ids: { public_id: string; user_id: string; held_until: Time };
  provider_password_resets: { token_hash: Buffer; account_id: string; created_at: Now; expires_at: Time };
}
