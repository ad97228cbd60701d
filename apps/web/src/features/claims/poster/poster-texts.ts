import type { Sport } from '@sendlap/domain/sports.ts';
import type { Language } from '#web/shared/i18n/language.ts';

/** `several`: at a center with more than one sport. */
type Sports = Sport | 'several';

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
      several: 'Get your training confirmed here with Sendlap',
    },
    scan: 'Scan this code with your phone.',
    train: {
      swimming: 'Start, and swim.',
      climbing: 'Start, and climb.',
      several: 'Start, and train.',
    },
    confirm: 'Get it confirmed at the desk or the kiosk.',
  },
  es: {
    claim: {
      swimming: 'Confirma aquí lo que nadas, con Sendlap',
      climbing: 'Confirma aquí lo que escalas, con Sendlap',
      several: 'Confirma aquí lo que entrenas, con Sendlap',
    },
    scan: 'Escanea este código con el móvil.',
    train: {
      swimming: 'Pulsa empezar y ponte a nadar.',
      climbing: 'Pulsa empezar y ponte a escalar.',
      several: 'Pulsa empezar y ponte a entrenar.',
    },
    confirm: 'Que te lo confirmen en recepción o en el quiosco.',
  },
};

/** Returns the line that says what the poster is for, and three short steps. */
export function posterTexts(language: Language, sports: readonly Sport[]): { claim: string; steps: string[] } {
  const { claim, scan, train, confirm } = TEXTS[language];
  const [only] = sports;
  const kind = sports.length === 1 && only ? only : 'several';
  return { claim: claim[kind], steps: [scan, train[kind], confirm] };
}
