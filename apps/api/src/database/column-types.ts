import type { ColumnType, JSONColumnType } from 'kysely';

/** A timestamptz: read as Date, written as Date. */
export type Time = ColumnType<Date, Date, Date>;
export type Now = ColumnType<Date, Date | undefined, Date>;
export type Json = JSONColumnType<object>;
/** May be null, and is null where a row is made without it. */
export type Nullable<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;
