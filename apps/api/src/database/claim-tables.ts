import type { ColumnType, Generated } from 'kysely';
import type { Nullable, Time } from './column-types.ts';

/** Tables of users who claim to run a sport center. */
export interface ClaimTables {
  center_claims: {
    id: string;
    sport_center_id: string;
    user_id: string;
    way: 'mail' | 'line' | 'operator';
    secret_hash: Nullable<Buffer>;
    url: Nullable<string>;
    expires_at: Nullable<Date>;
    attempts: Generated<number>;
    message: Nullable<string>;
    status: ColumnType<'waiting' | 'refused', 'waiting' | undefined, 'waiting' | 'refused'>;
    created_at: Time;
  };
}
