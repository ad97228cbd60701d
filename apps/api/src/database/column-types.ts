import type { ColumnType, JSONColumnType } from 'kysely';

/** A timestamptz: read as Date, written as Date. */
export type Time = ColumnType<Date, Date, Date>;
export type DefaultNow = ColumnType<Date, Date | undefined, Date>;
export type Json = JSONColumnType<object>;
/** Nullable, with null as the default on insert. */
export type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;
