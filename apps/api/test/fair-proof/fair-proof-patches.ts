import type { SourcePatch } from '../source-patches.ts';

/** Source edits that each remove one rule of fair proof; `cheat`: part of the name of the cheat that must gain by it. */
export const FAIR_PROOF_PATCHES: Record<string, { cheat: string; patches: SourcePatch[] }> = {
  one_picture: {
    cheat: 'with one picture of the kiosk at the start and one at the finish',
    patches: [
      {
        file: 'proof/fair-proof.ts',
        find: "if (shares_codes) return 'venue_codes_shared';",
        replace: '',
      },
    ],
  },
  combined_codes: {
    cheat: 'combine five codes of the start with five of the finish',
    patches: [
      {
        file: 'proof/fair-proof.ts',
        find: 'return codesLinkedTo(start, earlier).has(end);',
        replace: 'return earlier.some((one) => one.start === start && one.end === end);',
      },
    ],
  },
  one_phone: {
    cheat: 'five accounts on one phone',
    patches: [
      {
        file: 'proof/fair-proof.ts',
        find: "return shares_installation ? 'venue_installation_shared' : null;",
        replace: 'return null;',
      },
    ],
  },
  late_code: {
    cheat: 'a picture of the kiosk that is sent a minute later',
    patches: [{ file: 'kiosks/verify-kiosk-code.ts', find: 'if (steps_off > 1)', replace: 'if (steps_off > 9999)' }],
  },
  other_center: {
    cheat: 'the kiosk of a center nearby',
    patches: [
      {
        file: 'proofs/verify-venue-scan.ts',
        find: 'if (kiosk.sport_center_id !== sport_center_id)',
        replace: 'if (kiosk.sport_center_id === null)',
      },
    ],
  },
  own_phone: {
    cheat: "a referee's second account, on the referee's own phone",
    patches: [
      {
        file: 'proofs/scan-method.ts',
        find: "if (is_referee && !shares_installation) return 'referee';",
        replace: "if (is_referee) return 'referee';",
      },
    ],
  },
  peer_spacing: {
    cheat: '26 activities in one second',
    patches: [
      {
        file: 'ops/decide-scan.ts',
        find: "if (method === 'peer') checkPeerSpacing(decided, row, found);",
        replace: '',
      },
    ],
  },
  friends_on_boards: {
    cheat: 'prove one activity a day for ten days',
    patches: [
      {
        file: 'modules/leaderboards/board-scores.ts',
        find: "entries.filter(({ validation }) => validation === 'venue' || validation === 'referee')",
        replace: 'entries',
      },
    ],
  },
};

/** Source edits of the server that each make one rule too strict: it must refuse honest people. */
export const STRICT_PATCHES: Record<string, SourcePatch[]> = {
  codes_of_their_own_step: [
    { file: 'kiosks/verify-kiosk-code.ts', find: 'if (steps_off > 1)', replace: 'if (steps_off > 0)' },
  ],
  one_account_a_code: [
    {
      file: 'proofs/limit-venue-proof.ts',
      find: "import { sharesInstallation } from './scan-method.ts';",
      replace:
        "import { AppError } from '#api/platform/errors.ts'; import { sharesInstallation } from './scan-method.ts';",
    },
    {
      file: 'proofs/limit-venue-proof.ts',
      find: 'if (shares_codes || is_chain_complete) return',
      replace:
        "if (visits.some((one) => one.start === start)) throw new AppError('venue_code_late', 'Used'); if (shares_codes || is_chain_complete) return",
    },
  ],
  one_scan_of_a_pair: [
    {
      file: 'ops/decide-scan.ts',
      find: 'if (of_pair.length >= MAX_PAIR_CONFIRMATIONS)',
      replace: 'if (of_pair.length >= 1)',
    },
  ],
};

/** The rules of decision 059; the others are older. */
export const NEW_RULES = ['one_picture', 'combined_codes', 'one_phone', 'own_phone', 'peer_spacing'];
