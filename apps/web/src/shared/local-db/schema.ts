import type { Activity } from '@sendlap/contract/activities.ts';
import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import type { UserLocation } from '@sendlap/contract/locations.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';

/** A copy of the server's data. Times are ms epoch of this device. */
export interface Cached<Value> {
  value: Value;
  cached_at: number;
  expires_at: number;
}

/** A cached copy that only its owner may see. */
export interface OwnedCopy<Value> extends Cached<Value> {
  user_id: string;
}

/** `pinned`: ids of the saved cities that need the copy; clean-up skips pinned copies. */
export type CenterCopy = Cached<SportCenter> & { city_folded: string; pinned: string[] };

export interface MapTile {
  /** zoom-x-y for the world, streets-zoom-x-y for the operator's map. */
  id: string;
  zoom: number;
  x: number;
  y: number;
  url: string;
  /** Chromium stores a Blob as a separate file, whose space is free at once when it is deleted. */
  data: Blob;
  /** Size of `data`, stored separately so that the index below knows all sizes without reading tiles. */
  bytes: number;
  cached_at: number;
  expires_at: number;
  pinned: string[];
  pin_count: number;
}

/** A town, or a part of the map, that is searchable without network. */
export interface SavedCity extends Pick<Town, 'name_es' | 'country' | 'latitude' | 'longitude' | 'radius_km'> {
  /** The town's id, or `area:…` for a part of the map. */
  id: string;
  /** For a part of the map: the town with most of its centers; null while it is unknown. */
  name: string | null;
  /** `saving` until all data is on the device; an interrupted save resumes. */
  state: 'saving' | 'saved';
  /** Whether some streets did not fit within the tile budget. */
  is_trimmed: boolean;
  center_count: number;
  bytes: number;
  /** ms epoch; null until it was complete for the first time. */
  saved_at: number | null;
}

export interface ThreadRecord {
  user_id: string;
  chat_id: string;
  /** Whether a sync has reached the newest message since the thread was last emptied. */
  was_synced: boolean;
  /** Increases when the thread is emptied. */
  generation: number;
  /** Whether the other user was erased. */
  is_erased: boolean;
  /** Read receipts of messages that are not here yet. */
  early_reads: readonly { id: string; read_at: string }[];
  /** When the device last got data of this chat from the server. */
  updated_at: number;
}

export interface CacheSchema extends DBSchema {
  /** Public: stays when a user signs out. Key: center id. */
  sport_centers: { key: string; value: CenterCopy; indexes: { city: string; pinned: string; cached_at: number } };
  /** Key: user id. */
  user_profile: { key: string; value: OwnedCopy<User> };
  /** Key: user id. */
  bio_info: { key: string; value: OwnedCopy<BioInfo> };
  /** Key: user id. */
  user_location: { key: string; value: OwnedCopy<UserLocation> };
  /** Key: [user_id, client_id]. */
  activities: { key: [string, string]; value: OwnedCopy<Activity> & { client_id: string }; indexes: { owner: string } };
  /** Key: [user_id, chat_id, seq]. */
  messages: {
    key: [string, string, number];
    value: OwnedCopy<Message> & Pick<Message, 'chat_id' | 'seq'>;
    indexes: { cached_at: number };
  };
  /** The state of a chat besides its messages. Key: [user_id, chat_id]. */
  threads: { key: [string, string]; value: ThreadRecord };
  /** Public. `age` is [pin_count, cached_at, bytes]: its keys alone decide which tiles to evict. */
  map_tiles: { key: string; value: MapTile; indexes: { age: [number, number, number]; pinned: string } };
  /** Public. */
  saved_cities: { key: string; value: SavedCity };
  /** Key: name. `user_id` is null for values of the device. */
  metadata: { key: string; value: { key: string; value: unknown; updated_at: number; user_id: string | null } };
}

export type StoreName = StoreNames<CacheSchema>;
export type CacheDatabase = IDBPDatabase<CacheSchema>;
export type CacheTransaction<Names extends StoreName[]> = IDBPTransaction<CacheSchema, Names, 'readwrite'>;

export type CacheUpgrade = IDBPTransaction<CacheSchema, StoreName[], 'versionchange'>;

/** Increases with every change of the stores; `upgradeCache` can upgrade every older version. */
export const CACHE_VERSION = 5;

/** Upgrades any older version to this one; an error makes opening fail. */
export function upgradeCache(database: CacheDatabase, from: number, transaction: CacheUpgrade): void {
  transaction.done.catch(() => {}); // Opening reports it too.
  try {
    changeStores(database, from, transaction);
  } catch (error) {
    console.warn('cache', error);
    transaction.abort();
  }
}

/**
 * Keeps existing stores: a user who starts a new version of the app without network must stay signed in. Rewrites no
 * records: a full disk refuses that, and all saved data would be lost.
 */
function changeStores(database: CacheDatabase, from: number, transaction: CacheUpgrade): void {
  if (from < 1) {
    database.createObjectStore('sport_centers').createIndex('city', 'city_folded');
    database.createObjectStore('user_profile');
    database.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
    database.createObjectStore('metadata', { keyPath: 'key' });
  }
  if (from < 2) database.createObjectStore('bio_info');
  if (from < 3) {
    database.createObjectStore('user_location');
    database.createObjectStore('saved_cities', { keyPath: 'id' });
    const tiles = database.createObjectStore('map_tiles', { keyPath: 'id' });
    tiles.createIndex('age', ['pin_count', 'cached_at', 'bytes']);
    tiles.createIndex('pinned', 'pinned', { multiEntry: true });
    const centers = transaction.objectStore('sport_centers');
    centers.createIndex('pinned', 'pinned', { multiEntry: true });
    centers.createIndex('cached_at', 'cached_at');
  }
  if (from < 4) {
    const messages = database.createObjectStore('messages', { keyPath: ['user_id', 'chat_id', 'seq'] });
    messages.createIndex('cached_at', 'cached_at');
  }
  if (from < 5) database.createObjectStore('threads', { keyPath: ['user_id', 'chat_id'] });
}
