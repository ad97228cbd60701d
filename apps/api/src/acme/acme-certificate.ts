import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsPair } from '../http/listening/tls.ts';
import { createPeriodicJob, type PeriodicJob } from '../platform/periodic-job.ts';
import { readSecretFile, writeSecretFile } from '../platform/secret-file.ts';
import { StartError } from '../platform/start-error.ts';
import { AcmeError, isMatchingPair, obtainCertificate } from './acme-client.ts';

/** A certificate is renewed in the last third of its lifetime, so that the CA may be unreachable for a while. */
const RENEWAL_SHARE = 1 / 3;
const CHECK_INTERVAL_MS = 12 * 3_600_000;
/** A check skips a renewal if an attempt was made less than this ago. Shorter than the interval, as clocks drift. */
const MIN_RETRY_MS = 11 * 3_600_000;

interface AcmeCertificateOptions {
  data_dir: string;
  directory_url: string;
  email: string;
  host: string;
  answerChallenge(token: string, text: string): void;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Ends an attempt, also that of a renewal. */
  signal: AbortSignal;
  now: () => Date;
}

export interface AcmeCertificate {
  /** The certificate of this start. */
  tls: TlsPair;
  /** Checks every 12 hours, and hands a renewed certificate over; again at the next check if `onRenewed` throws. */
  createRenewal(onRenewed: (tls: TlsPair) => void): PeriodicJob;
}

/**
 * Returns the certificate that is stored in `data_dir`, renewed if its last third has begun, or a first one. Throws a
 * StartError if the CA refuses and no valid certificate is stored.
 */
export async function openAcmeCertificate(options: AcmeCertificateOptions): Promise<AcmeCertificate> {
  const { data_dir, directory_url, host, log, now } = options;
  // A folder for each CA: a certificate of one that browsers do not trust must not pass for another's.
  const folder = join(data_dir, 'acme', new URL(directory_url).host.replace(':', '-'));
  const file = join(folder, `${host}.pem`);
  const account_key = await openAccountKey(join(folder, 'account.pem'));
  let attempted_at: Date | undefined;

  async function renew(): Promise<TlsPair> {
    attempted_at = now();
    log.info({ host }, 'requesting a certificate');
    const pair = await obtainCertificate({ ...options, account_key });
    log.info({ host, expires_at: expiryOf(pair) }, 'certificate obtained');
    // The certificate is useful even if it cannot be stored: a CA issues only a few for the same name a week.
    await writeSecretFile(file, `${pair.key}${pair.cert}`).catch((error: unknown) =>
      log.warn({ reason: (error as Error).message }, 'the certificate was not stored'),
    );
    return pair;
  }
  let tls = readPair(await readSecretFile(file));
  if (!tls || isDue(tls, now())) {
    const stored = tls && expiryOf(tls) > now() ? tls : undefined;
    tls = await renew().catch((error: unknown) => {
      if (!(error instanceof AcmeError)) throw error;
      if (!stored) throw new StartError(`ACME_EMAIL: no certificate for ${host}: ${error.message}`);
      log.warn({ reason: error.message, expires_at: expiryOf(stored) }, 'the certificate was not renewed');
      return stored;
    });
  }
  const initial = tls;
  const wasJustAttempted = () => attempted_at && now().getTime() - attempted_at.getTime() < MIN_RETRY_MS;
  return {
    tls,
    createRenewal(onRenewed) {
      let newest = initial;
      let served = initial;
      return createPeriodicJob({
        name: 'certificate_renewal',
        interval_ms: CHECK_INTERVAL_MS,
        async work() {
          if (isDue(newest, now()) && !wasJustAttempted()) newest = await renew();
          if (newest === served) return 0;
          // If this throws, the next check hands the same certificate over again.
          onRenewed(newest);
          served = newest;
          return 1;
        },
        log,
        failure_message: 'the certificate was not renewed',
      });
    },
  };
}

/** The key identifies the account at the CA: another key is another account. */
async function openAccountKey(file: string): Promise<string> {
  const stored_pem = await readSecretFile(file);
  if (stored_pem !== undefined) {
    try {
      createPrivateKey(stored_pem);
      return stored_pem;
    } catch {
      throw new StartError(`The file ${file} is damaged: delete it; the next start makes another account`);
    }
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeSecretFile(file, pem);
  return pem;
}

/** Returns undefined for a file that is damaged: a new certificate replaces it. */
function readPair(pem: string | undefined): TlsPair | undefined {
  const [, key, cert] =
    /^(-----BEGIN RSA PRIVATE KEY-----[\s\S]+?-----END RSA PRIVATE KEY-----\n)([\s\S]+)$/.exec(pem ?? '') ?? [];
  return key && cert && isMatchingPair({ key, cert }) ? { key, cert } : undefined;
}

const expiryOf = ({ cert }: TlsPair): Date => new X509Certificate(cert).validToDate;

function isDue({ cert }: TlsPair, now: Date): boolean {
  const { validFromDate: from, validToDate: to } = new X509Certificate(cert);
  return to.getTime() - now.getTime() < RENEWAL_SHARE * (to.getTime() - from.getTime());
}
