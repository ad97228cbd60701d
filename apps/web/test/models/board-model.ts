import { getLeaderboard, getSurrounding, type LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { FakeServer } from './fake-server.ts';

/** The week in which the tests of boards take place. */
const WEEK = { key: '2026-W47', starts_on: '2026-11-16', ends_on: '2026-11-22', provisional: true };
export const IN_WEEK = '2026-11-20T10:00:00Z';
const REACHED_AT = '2026-11-20T09:00:00.000Z';
const NEIGHBOURS = 3;

interface Which {
  period?: string | undefined;
  key?: string | undefined;
  sport?: string | undefined;
  sport_center_id?: string | undefined;
}

/** Another athlete on a board: the points of a stranger, or a row; only a friend's has a public id. */
export type Rival = number | { points: number; user: LeaderboardRow['user'] };

/**
 * Answers with boards on which `me` has `my_points`. `crowd` returns all others on a board, or null for an empty
 * board, and `isHidden` whether the user is hidden from others. Ranks by points alone; tests of the real server check which activities count where.
 */
export function answerBoards(
  server: FakeServer,
  me: User,
  my_points: number,
  crowd: (which: Which) => Rival[] | null,
  isHidden: () => boolean = () => false,
) {
  const boardOf = (which: Which) => {
    const others = crowd(which);
    const rows = others ? rankRows(others, me, my_points) : [];
    const period = { ...WEEK, key: which.key ?? WEEK.key };
    return {
      rows,
      facts: { me: rows.find((row) => row.is_me) ?? null, total: rows.length, hidden: isHidden(), period },
    };
  };
  server.on(getLeaderboard, ({ query }) => {
    const { rows, facts } = boardOf(query);
    const start = Number(query.cursor ?? 0);
    const end = start + Number(query.limit);
    return { ...facts, items: rows.slice(start, end), next_cursor: end < rows.length ? String(end) : null };
  });
  server.on(getSurrounding, ({ query }) => {
    const { rows, facts } = boardOf(query);
    const mine = rows.findIndex((row) => row.is_me);
    const above = rows[mine - 1];
    const items = rows.slice(Math.max(0, mine - NEIGHBOURS), mine + NEIGHBOURS + 1);
    return { ...facts, items, gap_to_next: above ? above.points - my_points : null };
  });
}

function rankRows(others: Rival[], me: User, my_points: number): LeaderboardRow[] {
  const mine = { points: my_points, user: { name: me.name, public_id: me.public_id }, is_me: true };
  const theirs = others.map((one) => (typeof one === 'number' ? { points: one, user: { name: null } } : one));
  const rows = [...theirs.map((row) => ({ ...row, is_me: false })), mine];
  return rows
    .sort((a, b) => b.points - a.points)
    .map((row, index) => ({ ...row, rank: index + 1, reached_at: REACHED_AT }));
}
