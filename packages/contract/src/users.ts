import * as z from 'zod/mini';
import { Timestamp, Uuid } from './schemas.ts';

export const User = z.object({
  id: Uuid,
  email: z.string(),
  name: z.string(),
  public_id: z.string(),
  age: z.number(),
  weight_kg: z.number(),
  height_cm: z.number(),
  is_active: z.boolean(),
  created_at: Timestamp,
});
export type User = z.infer<typeof User>;
