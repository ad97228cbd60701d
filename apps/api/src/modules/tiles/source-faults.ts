/** The file elsewhere is not to be had just now: no connection, no answer in time, an answer of trouble. */
export class SourceUnreachable extends Error {}

/** The host answers, but never with what is needed. */
export class SourceUnfit extends Error {}
