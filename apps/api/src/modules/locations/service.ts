import { LOCATION_WRITES_A_MINUTE, type PresentUser, type UserLocation } from '@sendlap/contract/locations.ts';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import {
  isAccurateEnough,
  isFreshLocation,
  isNearby,
  isPlausibleLocationTime,
  isPresent,
  PRESENCE_RADIUS_KM,
} from '@sendlap/domain/locations.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { type Database, databaseErrorCode, FOREIGN_KEY_VIOLATION, type Trx } from '#api/database/database.ts';
import { createAttemptLimit } from '#api/http/attempt-limit.ts';
import type { FriendService } from '#api/modules/friends/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { PresenceNotifier } from './presence-notifier.ts';
import { findLocation, type LocationRow, listPeopleAtCenters, type PersonAtCenter, saveLocation } from './store.ts';

const RATE_LIMIT_RETRY_AFTER_S = 60;

/** The part of the centers module used here. */
export interface Centers {
  /** Closed centers too; undefined if the center does not exist. */
  getById(id: string): (Position & { id: string; closed_at: string | null }) | undefined;
  /** Returns the nearest open center within `km`. */
  nearestWithin(position: Position, km: number): { id: string; distance_km: number } | undefined;
}

interface LocationDetails {
  accuracy?: number | null | undefined;
  /** ISO 8601; defaults to now. */
  timestamp?: string | undefined;
  sport_center_id?: string | null | undefined;
}

export type LocationService = ReturnType<typeof createLocationService>;

interface LocationOptions {
  database: Database;
  friends: Pick<FriendService, 'listFriendIds'>;
  centers: Centers;
  presence: Pick<PresenceNotifier, 'runAndNotify'>;
  now: () => Date;
}

export function createLocationService({ database, friends, centers, presence, now }: LocationOptions) {
  const write_limit = createAttemptLimit(database, { name: 'locations of a user', max: LOCATION_WRITES_A_MINUTE });
  const assertWriteLimit = async (user_id: string) => {
    if (await write_limit.tryConsume(user_id)) return;
    const refusal = { retry_after_s: RATE_LIMIT_RETRY_AFTER_S };
    throw new AppError('too_many_requests', 'Too many requests, please wait a little', refusal);
  };

  /** Builds the row to store; a time of a device clock that is ahead is capped at the time of receipt. */
  const toRow = (user_id: string, position: Position, details: LocationDetails, received_at: Date): LocationRow => {
    const accuracy_m = details.accuracy ?? null;
    const requested_id = details.sport_center_id ?? null;
    const center = isAccurateEnough(accuracy_m) ? resolveCenter(centers, position, requested_id) : undefined;
    const located_ms = details.timestamp === undefined ? received_at.getTime() : Date.parse(details.timestamp);
    return {
      user_id,
      latitude: position.latitude,
      longitude: position.longitude,
      accuracy_m,
      located_at: new Date(Math.min(located_ms, received_at.getTime())),
      sport_center_id: center?.id ?? null,
      received_at,
    };
  };

  return {
    /**
     * Replaces the user's location, unless the stored one is newer. Returns the location stored afterwards. Throws
     * `validation_failed` for a time two hours ago or more, or more than five minutes ahead, and `too_many_requests`
     * beyond the user's writes per minute.
     */
    async saveUserLocation(
      user_id: string,
      { accuracy, timestamp, sport_center_id, ...position }: Position & LocationDetails,
    ): Promise<UserLocation> {
      await assertWriteLimit(user_id);
      const at = now();
      assertValidTime(timestamp, at);
      const row = toRow(user_id, position, { accuracy, timestamp, sport_center_id }, at);
      const stored = await presence.runAndNotify(user_id, () => save(database, row));
      return presentLocation(stored ?? (await findLocation(database, user_id)) ?? row);
    },

    /** The same for a partial change. Throws `location_unknown` if no location of the last two hours is stored. */
    async updateUserLocation(user_id: string, changes: Partial<Position> & LocationDetails): Promise<UserLocation> {
      await assertWriteLimit(user_id);
      const at = now();
      assertValidTime(changes.timestamp, at);
      const change = async (trx: Trx) => {
        const known = await findLocation(trx, user_id, { lock: true });
        if (!known || !isFresh(known, at)) {
          throw new AppError('location_unknown', 'Nothing is known of where you were in the last two hours');
        }
        const { latitude = known.latitude, longitude = known.longitude } = changes;
        const merged = {
          accuracy: changes.accuracy === undefined ? known.accuracy_m : changes.accuracy,
          sport_center_id: changes.sport_center_id === undefined ? known.sport_center_id : changes.sport_center_id,
          // A new position without a time counts as now.
          timestamp: changes.timestamp ?? (changes.latitude === undefined ? known.located_at.toISOString() : undefined),
        };
        const row = toRow(user_id, { latitude, longitude }, merged, at);
        return presentLocation((await save(trx, row)) ?? known);
      };
      return presence.runAndNotify(user_id, () => database.transaction().execute(change));
    },

    /** null without a location of the last two hours. */
    async getUserLocation(user_id: string): Promise<UserLocation | null> {
      const row = await findLocation(database, user_id);
      return row && isFresh(row, now()) ? presentLocation(row) : null;
    },

    /** Lists the friends whom the user may see at these centers now: no position, no distance, no other users. */
    async listPresentUsers(user_id: string, sport_center_ids: string[]): Promise<PresentUser[]> {
      const friend_ids = await friends.listFriendIds(user_id);
      if (friend_ids.length === 0) return [];
      const people = await listPeopleAtCenters(database, friend_ids, sport_center_ids);
      const now_ms = now().getTime();
      return people
        .filter((person) => isPresent({ ...person, located_at_ms: person.located_at.getTime() }, now_ms))
        .map(presentPerson);
    },
  };
}

/** Returns the requested center if it is open and near enough, otherwise the nearest such center. */
function resolveCenter(centers: Centers, position: Position, requested_id: string | null) {
  const wanted = requested_id === null ? undefined : centers.getById(requested_id);
  if (wanted && wanted.closed_at === null) {
    const distance_km = distanceKm(position, wanted);
    if (distance_km <= PRESENCE_RADIUS_KM) return { id: wanted.id, distance_km };
  }
  return centers.nearestWithin(position, PRESENCE_RADIUS_KM);
}

function assertValidTime(timestamp: string | undefined, at: Date): void {
  if (timestamp === undefined || isPlausibleLocationTime(Date.parse(timestamp), at.getTime())) return;
  const message = 'must be of the last two hours';
  throw new AppError('validation_failed', `body/timestamp: ${message}`, {
    details: [{ path: 'body/timestamp', message }],
  });
}

function isFresh({ located_at }: LocationRow, at: Date): boolean {
  return isFreshLocation(located_at.getTime(), at.getTime());
}

/** A user erased a moment ago may still hold a token. */
async function save(executor: Database | Trx, row: LocationRow): Promise<LocationRow | undefined> {
  try {
    return await saveLocation(executor, row);
  } catch (error) {
    if (databaseErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new AppError('unauthenticated', 'This account is no longer there', { cause: error });
  }
}

function presentLocation(row: LocationRow): UserLocation {
  return {
    latitude: row.latitude,
    longitude: row.longitude,
    accuracy: row.accuracy_m,
    timestamp: row.located_at.toISOString(),
    sport_center_id: row.sport_center_id,
  };
}

function presentPerson(person: PersonAtCenter): PresentUser {
  return {
    id: person.id,
    name: person.display_name ?? DEFAULT_DISPLAY_NAME,
    public_id: person.public_id,
    sport_center_id: person.sport_center_id,
    is_nearby: isNearby(person.distance_km),
  };
}
