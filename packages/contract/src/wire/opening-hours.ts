import * as z from 'zod/mini';

const LocalTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 07:30'));
const LocalDate = z.iso.date().check(z.regex(/^20\d\d-/, 'must be of this century'));

/** In the center's time zone. `closes` at or before `opens` is on the next day. */
export const OpeningHours = z.object({
  /** Monday to Sunday; none in the whole week: not known. */
  weekly: z.array(z.array(z.object({ opens: LocalTime, closes: LocalTime }))),
  /** Days on which it does not open, `from` and `until` included. */
  closed_days: z.array(z.object({ from: LocalDate, until: LocalDate, reason: z.nullable(z.string()) })),
});
export type OpeningHours = z.infer<typeof OpeningHours>;
