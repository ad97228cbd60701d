import { connect } from 'node:net';
import { afterDelay } from '../delays.ts';
import { nameConnection } from './server-ends.ts';
import type { SlowKind, Target } from './slow-kinds.ts';

interface HoldPlan {
  /** Connections of this kind at once. */
  count: number;
  /** A connection that the server ends is opened again for so long. */
  lasts_ms: number;
  /** From the last opening on. */
  patience_ms: number;
  drip_ms: number;
}

export interface HeldReport {
  kind: string;
  opened: number;
  /** How often the server answered with a status before it ended the connection, or with none. */
  answers: Record<string, number>;
  /** Connections that the server had not ended when the patience was over, or later than it should. */
  still_open: number;
  /** Answers that are not the expected ones. */
  wrong: number;
  /** Of those that the server ended. */
  longest_ms: number;
  /** Connections that the system of the server never handed over to it. */
  not_accepted: number;
}

/** Holds connections in this way, and counts how the server ends them. */
export async function hold(kind: SlowKind, target: Target, plan: HoldPlan): Promise<HeldReport> {
  const report: HeldReport = {
    kind: kind.name,
    opened: 0,
    answers: {},
    still_open: 0,
    wrong: 0,
    longest_ms: 0,
    not_accepted: 0,
  };
  const until = Date.now() + plan.lasts_ms;
  const holdOne = async () => {
    do {
      report.opened += 1;
      const opened_at = Date.now();
      const answer = await holdConnection(kind, target, plan);
      if (answer === 'open') report.still_open += 1;
      else if (answer === 'not accepted') report.not_accepted += 1;
      else {
        report.answers[answer] = (report.answers[answer] ?? 0) + 1;
        report.longest_ms = Math.max(report.longest_ms, Date.now() - opened_at);
        if (!kind.expected.test(answer)) report.wrong += 1;
      }
    } while (Date.now() < until);
  };
  await Promise.all(Array.from({ length: plan.count }, holdOne));
  return report;
}

/**
 * Returns the status of the answer, `none` without one, `open` if the server keeps the connection or kept it for too
 * long, or `not accepted`.
 */
async function holdConnection(kind: SlowKind, target: Target, { patience_ms, drip_ms }: HoldPlan): Promise<string> {
  const opened_at = Date.now();
  const server_port = target[kind.at ?? 'port'];
  const socket = connect(server_port, '127.0.0.1');
  let text = '';
  let has_ended = false;
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void closed.then(() => {
    has_ended = true;
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  if (kind.is_deaf) socket.pause();
  else
    socket.setEncoding('latin1').on('data', (piece) => {
      if (text.length < 100) text += piece;
    });
  socket.write(kind.begin(target), 'latin1');
  const patience = AbortSignal.timeout(patience_ms);
  const connection = nameConnection(socket.localPort, server_port);
  while (!has_ended && !patience.aborted) {
    await Promise.race([afterDelay(drip_ms), closed]);
    // A paused connection does not notice its end.
    if (kind.is_deaf && (await target.lookUp(connection, opened_at))?.ended_at) break;
    // More than a socket's buffer would only wait in this process.
    if (kind.drip && text === '' && socket.writable && socket.writableLength === 0) socket.write(kind.drip, 'latin1');
  }
  const end = has_ended ? undefined : await target.lookUp(connection, opened_at);
  socket.destroy();
  if (!has_ended && !end) return 'not accepted';
  if (end && (end.ended_at ?? Number.POSITIVE_INFINITY) - end.accepted_at > (kind.ended_within_ms ?? patience_ms))
    return 'open';
  return /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none';
}
