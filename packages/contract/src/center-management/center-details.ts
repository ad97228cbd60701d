import { extractPhoneNumbers } from '@sendlap/domain/contact-details.ts';
import { cleanText } from '@sendlap/domain/names.ts';
import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Sport, Uuid } from '../wire/schemas.ts';

/** In characters. */
export const MAX_LENGTHS = { name: 120, address: 200, phone: 60, url: 300 } as const;
export const MAX_POOLS = 8;
/** Of a pool, in metres. */
export const POOL_LENGTH_M = { min: 5, max: 100 } as const;

/** An http(s) address with a host that has a dot, and without a user, which can imitate another host. */
const WEB_ADDRESS = /^https?:\/\/([\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}(:\d{1,5})?([/?#]\S*)?$/iu;

/** One line of visible characters. */
const text = (max: number) => z.string().check(z.overwrite(cleanText), z.minLength(1), z.maxLength(max));
const Phone = text(MAX_LENGTHS.phone).check(
  z.refine((phone) => extractPhoneNumbers(phone) !== null, 'must have a phone number'),
);
const WebAddress = text(MAX_LENGTHS.url).check(
  z.refine(isWebAddress, 'must be an address such as https://example.org'),
);
const PoolLengths = z.array(z.number().check(z.gte(POOL_LENGTH_M.min), z.lte(POOL_LENGTH_M.max), z.multipleOf(0.01)));

/** `is_private` null: not known. */
const facts = {
  name: z.string(),
  address: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  url: z.nullable(z.string()),
  is_private: z.nullable(z.boolean()),
  sports: z.array(Sport),
};

/** Whether a text is accepted as the web address of a center. */
export function isWebAddress(url: string): boolean {
  return WEB_ADDRESS.test(url) && z.url().safeParse(url).success;
}

export const CenterDetails = z.object({
  /** A change names the version that it changes. */
  version: z.number(),
  /** The facts in force. */
  ...facts,
  /** In metres, the shortest first; empty: not known, or no swimming. */
  pool_lengths_m: z.array(z.number()),
  /** Of the fields that a manager set: what the source says. */
  source_facts: z.partial(z.object(facts)),
  attribution: z.string(),
});
export type CenterDetails = z.infer<typeof CenterDetails>;

const params = z.strictObject({ id: Uuid });
/** Of a user at all centers: each change lets every server node read the centers again. */
const CHANGES_PER_HOUR = { max: 30, window_s: 3600 };

export const getCenterDetails = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/details',
  summary: 'The facts of a center with what its source says instead, for its managers',
  access: 'manager',
  params,
  data: CenterDetails,
  errors: ['sport_center_not_found'],
});

export const updateCenterDetails = endpoint({
  method: 'PATCH',
  path: '/v1/sport-centers/:id/details',
  summary:
    'Set facts of a center, unless another manager did since `version`; fields left out stay, and a field set to what the source says follows the source again',
  access: 'manager',
  params,
  body: z.strictObject({
    version: z.number().check(z.int(), z.gte(0)),
    name: z.optional(text(MAX_LENGTHS.name)),
    address: z.optional(z.nullable(text(MAX_LENGTHS.address))),
    phone: z.optional(z.nullable(Phone)),
    url: z.optional(z.nullable(WebAddress)),
    is_private: z.optional(z.nullable(z.boolean())),
    sports: z.optional(z.array(Sport).check(z.minLength(1), z.maxLength(10))),
    pool_lengths_m: z.optional(PoolLengths.check(z.maxLength(MAX_POOLS))),
  }),
  data: CenterDetails,
  limit: CHANGES_PER_HOUR,
  errors: ['sport_center_not_found', 'center_changed'],
});
export type CenterDetailsChange = Omit<z.infer<typeof updateCenterDetails.body>, 'version'>;
