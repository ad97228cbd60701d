/** Why an op could not be saved on this device. Never swallowed: the screen must not say "saved". */
export class OutboxError extends Error {
  readonly code: 'storage_full' | 'storage_failed';

  constructor(code: OutboxError['code'], cause: unknown) {
    super(code === 'storage_full' ? 'The storage of this device is full' : 'This device could not save it', { cause });
    this.name = 'OutboxError';
    this.code = code;
  }
}
