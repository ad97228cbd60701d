import { BIO_INFO_BOUNDS } from '@sendlap/domain/bio-info/bio-info.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Empty, Timestamp, Uuid } from './wire/schemas.ts';

const PATH = '/v1/users/bio-info';
const { age, weight_kg, height_cm } = BIO_INFO_BOUNDS;

const Age = z.number().check(z.int(), z.gte(age.min), z.lte(age.max));
const WeightKg = z.number().check(z.gte(weight_kg.min), z.lte(weight_kg.max));
const HeightCm = z.number().check(z.gte(height_cm.min), z.lte(height_cm.max));
/** null: not specified. */
const Male = z.nullable(z.boolean());

export const BioInfo = z.object({
  id: Uuid,
  user_id: Uuid,
  age: z.number(),
  weight_kg: z.number(),
  height_cm: z.number(),
  male: Male,
  created_at: Timestamp,
  /** The version: a PATCH names the version that it changes. */
  updated_at: Timestamp,
});
export type BioInfo = z.infer<typeof BioInfo>;

export const getBioInfo = endpoint({
  method: 'GET',
  path: PATH,
  summary: 'My body data; `bio_info_not_found` until it was saved once',
  access: 'user',
  data: BioInfo,
  errors: ['bio_info_not_found'],
});

export const saveBioInfo = endpoint({
  method: 'POST',
  path: PATH,
  summary: 'Save my body data for the first time; an `Idempotency-Key` (UUID) makes it repeatable',
  access: 'user',
  body: z.strictObject({ age: Age, weight_kg: WeightKg, height_cm: HeightCm, male: z._default(Male, null) }),
  data: BioInfo,
  status: 201,
  errors: ['bio_info_exists', 'conflict', 'idempotency_mismatch'],
});

export const updateBioInfo = endpoint({
  method: 'PATCH',
  path: PATH,
  summary: 'Change my body data, unless they have changed since `updated_at`; fields left out stay',
  access: 'user',
  body: z.strictObject({
    updated_at: Timestamp,
    age: z.optional(Age),
    weight_kg: z.optional(WeightKg),
    height_cm: z.optional(HeightCm),
    male: z.optional(Male),
  }),
  data: BioInfo,
  errors: ['bio_info_not_found', 'bio_info_changed'],
});

export const deleteBioInfo = endpoint({
  method: 'DELETE',
  path: PATH,
  summary: 'Delete my body data; a repeat changes nothing',
  access: 'user',
  data: Empty,
});
