import * as z from 'zod/mini';

/** Raised by a change that earlier versions of Sendlap cannot read. */
export const FORMAT = 1;
export const MAGIC = Buffer.from('sendlap-backup\n');
/** The header is one line. */
export const MAX_HEADER_BYTES = 65_536;
/** SHA-256 of all bytes before it. */
export const CHECKSUM_BYTES = 32;

export const SealedSecret = z.object({
  /** base64url */
  salt: z.string(),
  nonce: z.string(),
  tag: z.string(),
  sealed: z.string(),
});
export type SealedSecret = z.infer<typeof SealedSecret>;

/** What a reader has to know before the tables. In the file it is JSON on one line, after the magic bytes. */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  app_version: z.string(),
  /** ISO 8601 */
  made_at: z.string(),
  /** The migrations of the schema, oldest first. */
  migrations: z.array(z.string()).check(z.minLength(1)),
  /** Depends on the secret of the server: the tables hold keys that only this secret opens. */
  secret_check: z.string(),
  sealed_secret: z.optional(SealedSecret),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

export const SavedTable = z.object({ name: z.string(), columns: z.array(z.string()) });
export type SavedTable = z.infer<typeof SavedTable>;

/** A table and the rows that COPY wrote for it, in its text format. */
export const TableSum = z.extend(SavedTable, { rows: z.number(), sha256: z.string() });
export type TableSum = z.infer<typeof TableSum>;

/** Ends the compressed part. */
export const BackupEnd = z.object({ tables: z.array(TableSum) });
export type BackupEnd = z.infer<typeof BackupEnd>;
