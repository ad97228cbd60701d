import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsPair } from '../http/listening/tls.ts';
import { createPeriodicJob, type PeriodicJob } from '../platform/periodic-job.ts';
import { readSecretFile, writeSecretFile } from '../platform/secret-file.ts';
import { StartError } from '../platform/start-error.ts';
import { AcmeError, isPair, obtainCertificate } from './acme-client.ts';

/** A certificate is renewed in the last third of its life, so that the authority may be away for a while. */
const RENEWAL_SHARE = 1 / 3;
const CHECK_INTERVAL_MS = 12 * 3_600_000;

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
  /** Checks every 12 hours, and hands a renewed certificate over. */
  createRenewal(onRenewed: (tls: TlsPair) => void): PeriodicJob;
}

/**
 * Returns the certificate that was kept in `data_dir`, renewed if its last third has begun, or a first one. Throws a
 * StartError if the kept one is missing or has ended, and the authority refuses.
 */
export async function openAcmeCertificate(options: AcmeCertificateOptions): Promise<AcmeCertificate> {
  const { data_dir, directory_url, host, log, now } = options;
  // Of each authority: a certificate of one that browsers do not trust must not pass for another's.
  const folder = join(data_dir, 'acme', new URL(directory_url).host.replace(':', '-'));
  const file = join(folder, `${host}.pem`);
  const account_key = await openAccountKey(join(folder, 'account.pem'));
  let attempted_at: Date | undefined;

  async function renew(): Promise<TlsPair> {
    attempted_at = now();
    log.info({ host }, 'requesting a certificate');
    const pair = await obtainCertificate({ ...options, account_key });
    log.info({ host, ends_at: endOf(pair) }, 'certificate obtained');
    // It is of use even if it cannot be kept: an authority issues only a few of the same name a week.
    await writeSecretFile(file, `${pair.key}${pair.cert}`).catch((error: unknown) =>
      log.warn({ reason: (error as Error).message }, 'the certificate was not kept'),
    );
    return pair;
  }
  let tls = readPair(await readSecretFile(file));
  if (!tls || isDue(tls, now())) {
    const kept = tls && endOf(tls) > now() ? tls : undefined;
    tls = await renew().catch((error: unknown) => {
      if (!(error instanceof AcmeError)) throw error;
      if (!kept) throw new StartError(`ACME_EMAIL: no certificate for ${host}: ${error.message}`);
      log.warn({ reason: error.message, ends_at: endOf(kept) }, 'the certificate was not renewed');
      return kept;
    });
  }
  const current = { tls };
  return {
    tls,
    createRenewal: (onRenewed) =>
      createPeriodicJob({
        interval_ms: CHECK_INTERVAL_MS,
        async work() {
          const since_ms = attempted_at ? now().getTime() - attempted_at.getTime() : CHECK_INTERVAL_MS;
          if (!isDue(current.tls, now()) || since_ms < CHECK_INTERVAL_MS) return 0;
          current.tls = await renew();
          onRenewed(current.tls);
          return 1;
        },
        log,
        failure_message: 'the certificate was not renewed',
      }),
  };
}

/** The account at the authority is its key: with another key it would be another account. */
async function openAccountKey(file: string): Promise<string> {
  const kept = await readSecretFile(file);
  if (kept !== undefined) {
    try {
      createPrivateKey(kept);
      return kept;
    } catch {
      throw new StartError(`The file ${file} is damaged: delete it; the next start makes another account`);
    }
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeSecretFile(file, pem);
  return pem;
}

/** Undefined for a file that is damaged: a new certificate replaces it. */
function readPair(pem: string | undefined): TlsPair | undefined {
  const [, key, cert] =
    /^(-----BEGIN RSA PRIVATE KEY-----[\s\S]+?-----END RSA PRIVATE KEY-----\n)([\s\S]+)$/.exec(pem ?? '') ?? [];
  return key && cert && isPair({ key, cert }) ? { key, cert } : undefined;
}

const endOf = ({ cert }: TlsPair): Date => new X509Certificate(cert).validToDate;

function isDue({ cert }: TlsPair, now: Date): boolean {
  const { validFromDate: from, validToDate: to } = new X509Certificate(cert);
  return to.getTime() - now.getTime() < RENEWAL_SHARE * (to.getTime() - from.getTime());
}
