import type { Sport } from '@sendlap/domain/sports.ts';
import type { Language } from '#web/shared/i18n/language.ts';

type Sports = Sport | 'both';

interface PosterTexts {
  claim: Record<Sports, string>;
  scan: string;
  train: Record<Sports, string>;
  confirm: string;
}

/** The poster's language is chosen apart from the app's. */
const TEXTS: Record<Language, PosterTexts> = {
  en: {
    claim: {
      swimming: 'Get your swims confirmed here with Sendlap',
      climbing: 'Get your climbs confirmed here with Sendlap',
      both: 'Get your swims and climbs confirmed here with Sendlap',
    },
    scan: 'Scan this code with your phone.',
    train: {
      swimming: 'Start, and swim.',
      climbing: 'Start, and climb.',
      both: 'Start, and swim or climb.',
    },
    confirm: 'Get it confirmed at the desk or the kiosk.',
  },
  es: {
    claim: {
      swimming: 'Confirma aquí lo que nadas, con Sendlap',
      climbing: 'Confirma aquí lo que escalas, con Sendlap',
      both: 'Confirma aquí lo que nadas y escalas, con Sendlap',
    },
    scan: 'Escanea este código con el móvil.',
    train: {
      swimming: 'Pulsa empezar y ponte a nadar.',
      climbing: 'Pulsa empezar y ponte a escalar.',
      both: 'Pulsa empezar y ponte a nadar o a escalar.',
    },
    confirm: 'Que te lo confirmen en recepción o en el quiosco.',
  },
};

/** Returns the line that says what the poster is for, and three short steps. */
export function posterTexts(language: Language, sports: readonly Sport[]): { claim: string; steps: string[] } {
  const { claim, scan, train, confirm } = TEXTS[language];
  const [only] = sports;
  const kind = sports.length === 1 && only ? only : 'both';
  return { claim: claim[kind], steps: [scan, train[kind], confirm] };
}
