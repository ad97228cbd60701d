import type { Area } from './fault.ts';

const API = 'apps/api/src/modules/leaderboards';

export const LEADERBOARDS: Area = {
  area: 'leaderboards',
  faults: [
    {
      name: 'friends-proofs-on-public-boards',
      file: `${API}/board-scores.ts`,
      find: "entries.filter(({ validation }) => validation === 'venue' || validation === 'referee')",
      replace: 'entries',
      harm: 'Two friends who confirm each other lead the public board.',
      tests: [`${API}/board-scores.test.ts`],
    },
    {
      name: 'later-scan-wins-a-tie',
      file: `${API}/board-scores.ts`,
      find: 'scanTimeOf(a) - scanTimeOf(b)',
      replace: 'scanTimeOf(b) - scanTimeOf(a)',
      harm: 'Of two athletes with equal points the later one is first.',
      tests: [`${API}/board-scores.test.ts`],
    },
    {
      name: 'closed-week-still-changes',
      file: `${API}/board-scores.ts`,
      find: 'weeks.filter(({ week_key }) => !isFinalWeek(week_key, at))',
      replace: '[...weeks]',
      harm: 'The winner of a week that is closed changes.',
      tests: [`${API}/board-scores.test.ts`],
    },
    {
      name: 'hidden-athlete-is-shown',
      file: `${API}/public-boards.ts`,
      find: 'if (!person?.is_on_boards) return [];',
      replace: 'if (!person) return [];',
      harm: 'An athlete who chose to be on no board is on one until the index follows.',
      tests: [`${API}/privacy.test.ts`],
    },
    {
      name: 'public-id-shown-to-strangers',
      file: `${API}/public-boards.ts`,
      find: 'with_id: is_me || friend_ids?.has(ranked_user.user_id) === true, is_me',
      replace: 'with_id: true, is_me',
      harm: 'Every athlete can send a friend request to everyone on a board.',
      tests: [`${API}/privacy.test.ts`],
    },
    {
      name: 'hiding-does-not-reach-the-index',
      file: `${API}/service.ts`,
      find: 'set version = version + 1 where',
      replace: 'set version = version where',
      harm: 'An athlete who comes back to the boards is not shown.',
      tests: [`${API}/privacy.test.ts`],
    },
    {
      name: 'older-score-replaces-a-newer',
      file: `${API}/ranks/memory-board.ts`,
      find: 'if (score.version <= (columns.versions[entry] ?? 0)) return;',
      replace: '',
      harm: 'A late change brings the previous points back.',
      tests: [`${API}/ranks/memory-ranks.test.ts`, `${API}/ranks/rank-index.test.ts`],
    },
    {
      name: 'next-points-are-my-own',
      file: `${API}/ranks/memory-board.ts`,
      find: 'this.order.slice(above - 1, 1)',
      replace: 'this.order.slice(above, 1)',
      harm: 'The board says that 0 points are missing to the next rank.',
      tests: [`${API}/ranks/memory-ranks.test.ts`, `${API}/boards.test.ts`],
    },
    {
      name: 'hidden-friend-is-shown',
      file: `${API}/friends-boards.ts`,
      find: 'scores.filter(({ boards }) => boards)',
      replace: '[...scores]',
      harm: 'A friend who is hidden from boards is on the board of friends.',
      tests: [`${API}/privacy.test.ts`],
    },
    {
      name: 'board-is-not-brought-up-to-date',
      file: `${API}/ranks/log-follower.ts`,
      find: 'if (changes && changes.length > 0) await store.apply(changes);',
      replace: 'if (changes && changes.length > 1) await store.apply(changes);',
      harm: 'A single confirmed activity does not appear on its board.',
      tests: [`${API}/ranks/rank-index.test.ts`],
    },
  ],
};
