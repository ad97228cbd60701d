import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailSettings {
  /** smtp:// or smtps://, with the server's user name and password if it requires them. */
  smtp_url: string;
  /** The sender as the operator configured it: an address, or `Name <address>`. */
  from: string;
}

/** Why a mail was refused, without the address and the server's text, which often repeats the address. */
export class MailError extends Error {
  /** nodemailer's code, e.g. ECONNECTION, ETIMEDOUT, EENVELOPE, EAUTH. */
  readonly code: string;
  /** The server's reply code, e.g. 550. */
  readonly response_code: number | undefined;

  constructor(code: string, response_code: number | undefined) {
    super('The mail could not be handed over');
    this.code = code;
    this.response_code = response_code;
  }
}

/** nodemailer's codes of an address or a text that the mail server refused. */
const REFUSALS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Whether the mail server refused this mail alone: it may still take others. */
export const isRefusalOfMail = (error: unknown): boolean => error instanceof MailError && REFUSALS.has(error.code);

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
const SEND_TIMEOUT_MS = 30_000;

/** Sends mails to the operator's mail server, on a new connection each. */
export function createMailer({ smtp_url, from }: MailSettings) {
  const transport = createTransport({
    url: smtp_url,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    /** Throws a MailError if the server does not accept the mail within 30 s, or `signal` aborts. */
    async send({ to, ...content }: Mail, signal: AbortSignal): Promise<void> {
      try {
        await transport.sendMail({
          ...content,
          from,
          // As an object it is a single address, whatever the text contains.
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
        });
      } catch (error) {
        throw toMailError(error);
      }
    },
    /** Connects and signs in, and sends nothing. Throws a MailError if the server refuses, or `signal` aborts. */
    async verify(signal: AbortSignal): Promise<void> {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new MailError('ETIMEDOUT', undefined)), { once: true });
      });
      try {
        await Promise.race([transport.verify(), aborted]);
      } catch (error) {
        throw error instanceof MailError ? error : toMailError(error);
      }
    },
  };
}

function toMailError(error: unknown): MailError {
  const { code, responseCode } = Object(error) as { code?: unknown; responseCode?: unknown };
  return new MailError(
    typeof code === 'string' ? code : 'UNKNOWN',
    typeof responseCode === 'number' ? responseCode : undefined,
  );
}
