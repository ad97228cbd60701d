interface Kind {
  sent: number;
  refused: number;
}

/** What twice the capacity did to a server, and the quarter of it that followed. */
export interface OverloadedArm {
  loud: { ordinary: Kind; last: Kind; delay_p99_ms: number; unanswered: number; wrong: Record<string, number> };
  after: { delay_p99_ms: number };
  health: { asked: number; answered: number };
  growth_mb: number;
  /** How long it still refused or was slow. */
  normal_after_s: number;
}

export const MAX_RECOVERY_S = 10;
const MAX_GROWTH_MB = 30;
/** A load that is sent later than this shares the cores with other programs. */
const MAX_DELAY_MS = 500;

/** The server is as usual once this many seconds in a row are: a single slow one is the machine's. */
const NORMAL_S = 3;

/** Returns after how many seconds the server was as usual again. */
export function secondsUntilNormal(is_abnormal: boolean[]): number {
  const begin = is_abnormal.findIndex((_, second) => !is_abnormal.slice(second, second + NORMAL_S).includes(true));
  return begin === -1 ? is_abnormal.length : begin;
}

/** Returns why the run failed or shows nothing; null: it passed. The p99 is a goal, which a slow machine may miss. */
export function whyItFailed({ loud, after, health, growth_mb, normal_after_s }: OverloadedArm): string | null {
  const { ordinary, last } = loud;
  if (Math.max(loud.delay_p99_ms, after.delay_p99_ms) > MAX_DELAY_MS)
    return 'the machine was busy with other work: this shows nothing';
  if (loud.unanswered > 0 || Object.keys(loud.wrong).length > 0 || health.answered < health.asked)
    return 'an overloaded server owed an answer';
  if (ordinary.refused === 0) return 'the server was not overloaded: this shows nothing';
  if (last.refused / last.sent >= ordinary.refused / ordinary.sent) return 'the last calls were refused first';
  if (growth_mb > MAX_GROWTH_MB) return 'the memory grew under load';
  return normal_after_s > MAX_RECOVERY_S ? `the server was not as usual ${MAX_RECOVERY_S} s after the load` : null;
}
