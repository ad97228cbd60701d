import { type Finding, findingsOf } from './finding.ts';

const MB = 1_000_000;
/** About 250,000 activities, by the bytes of each in docs/scale.md: a club of 1,000 athletes for years. */
const MANY_BYTES = 1_000 * MB;

/** Returns a note if the embedded database, which is for one machine and small clubs, has become large. */
export function describeBoxSize(bytes: number): Finding[] {
  if (bytes <= MANY_BYTES) return [];
  const { lacking } = findingsOf('size');
  return [
    lacking(
      `${Math.ceil(bytes / MB)} MB are much for the embedded database, which is for one machine and small clubs: restore a backup into a PostgreSQL server of yours, and set DATABASE_URL to it and SECRET to the secret of DATA_DIR`,
    ),
  ];
}
