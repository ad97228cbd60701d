import type { Page } from '@playwright/test';

/** What waits on a phone, as far as the program's judgement needs it. */
export interface PhoneRows {
  ops: { client_id: string; kind: string; last_error: string | null }[];
  /** Refused ops, under the name of their store. */
  dead: {
    client_id: string;
    kind: string;
    code: string;
    /** ISO 8601: the times that the app offers, if it asks for them. */
    proposals?: { started_at: string; ended_at: string | null }[];
  }[];
  /** Without those that the worker has sent. */
  messages: { text: string; refused: string | null; last_error: string | null }[];
  /** Activities that began or ended here, ISO 8601. */
  activities: {
    client_id: string;
    started_at: string;
    ended_at: string | null;
    lengths: number;
    distance_m: number | null;
  }[];
  /** How many records of sealed work there are, of users who have signed out. */
  sealed: number;
}

export const NO_ROWS: PhoneRows = { ops: [], dead: [], messages: [], activities: [], sealed: 0 };

/** Reads the outbox of the phone, of all its users. */
export function readPhoneRows(page: Page): Promise<PhoneRows> {
  return page.evaluate(readRows);
}

/** Returns whether nothing waits to be sent. */
export function isEverythingSent({ ops, messages, sealed }: PhoneRows): boolean {
  return ops.length + messages.filter(({ refused }) => refused === null).length + sealed === 0;
}

/** Returns whether the phone has copies of this center and of chats: a browser that is killed may lose all of them. */
export function hasCopies(page: Page, { center_id }: { center_id: string }): Promise<boolean> {
  return page.evaluate(areCopiesHere, center_id);
}

/** Runs in the page. */
async function areCopiesHere(center_id: string): Promise<boolean> {
  const answered = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  if (!(await databases.databases()).some(({ name }) => name === 'sendlap-cache')) return false;
  const database = await answered(databases.open('sendlap-cache'));
  try {
    const count = async (name: string, key?: string) =>
      database.objectStoreNames.contains(name) ? answered(database.transaction(name).objectStore(name).count(key)) : 0;
    return (await count('sport_centers', center_id)) > 0 && (await count('threads')) > 0;
  } finally {
    database.close();
  }
}

/** Runs in the page. */
async function readRows(): Promise<PhoneRows> {
  const answered = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const exists = (await indexedDB.databases()).some(({ name }) => name === 'sendlap-outbox');
  if (!exists) return { ops: [], dead: [], messages: [], activities: [], sealed: 0 };
  const database = await answered(indexedDB.open('sendlap-outbox'));
  try {
    const stores = ['ops', 'dead', 'messages', 'activities', 'sealed'];
    const transaction = database.transaction(stores);
    const [ops, dead, messages, activities, sealed] = await Promise.all(
      stores.map((name) => answered(transaction.objectStore(name).getAll())),
    );
    const unsent = (messages ?? []).filter(({ accepted }) => accepted === undefined);
    return {
      ops: (ops ?? []).map(({ client_id, kind, last_error }) => ({ client_id, kind, last_error })),
      dead: (dead ?? []).map(({ client_id, kind, code, proposals }) => ({ client_id, kind, code, proposals })),
      messages: unsent.map(({ text, refused, last_error }) => ({ text, refused: refused?.code ?? null, last_error })),
      activities: (activities ?? []).map(({ client_id, started_at, ended_at, draft, distance_m }) => ({
        client_id,
        started_at,
        ended_at,
        lengths: draft?.lengths ?? 0,
        distance_m,
      })),
      sealed: sealed?.length ?? 0,
    };
  } finally {
    database.close();
  }
}
