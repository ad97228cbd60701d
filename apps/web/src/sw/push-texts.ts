import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';

interface Words {
  nameless: string;
  message: string;
  friend_request: string;
  friend_accepted: string;
  activity_validated: string;
  activity_rejected: string;
  /** For a kind that this version of the app does not know. */
  unknown: string;
  points: { one: string; other: string };
}

/** The worker shows notifications while no page is open, so it has its own texts. */
const WORDS: Record<PushPayload['language'], Words> = {
  en: {
    nameless: 'Athlete',
    message: 'New message',
    friend_request: 'Wants to be your friend',
    friend_accepted: 'You are friends now',
    activity_validated: 'Activity confirmed',
    activity_rejected: 'Activity not confirmed',
    unknown: 'There is something new',
    points: { one: '+{count} point', other: '+{count} points' },
  },
  es: {
    nameless: 'Deportista',
    message: 'Mensaje nuevo',
    friend_request: 'Te ha enviado una solicitud de amistad',
    friend_accepted: 'Ha aceptado tu solicitud de amistad',
    activity_validated: 'Actividad confirmada',
    activity_rejected: 'Actividad no confirmada',
    unknown: 'Hay novedades',
    points: { one: '+{count} punto', other: '+{count} puntos' },
  },
};

interface Said {
  title: string;
  body: string;
}

/** The texts of a notification in the subscription's language: the person in the title, the event in the body. */
export function textsOf(payload: PushPayload): Said {
  const words = WORDS[payload.language] ?? WORDS.en;
  const person = (name: string) => (name === NAMELESS ? words.nameless : name);
  switch (payload.kind) {
    case 'message':
      return { title: person(payload.name), body: payload.text ?? words.message };
    case 'friend_request':
    case 'friend_accepted':
      return { title: person(payload.name), body: words[payload.kind] };
    case 'activity_validated': {
      const points = pointsText(words, payload.points, payload.language);
      return { title: words.activity_validated, body: [points, payload.center].filter(Boolean).join(' · ') };
    }
    case 'activity_rejected':
      return { title: words.activity_rejected, body: payload.center ?? '' };
    default:
      return unknownTexts(payload);
  }
}

/** For a push that cannot be parsed, or from a later version. Browsers require that every push is shown. */
export function unknownTexts(payload: unknown): Said {
  const language = (payload as { language?: unknown } | null)?.language;
  return { title: 'Sendlap', body: language === 'es' ? WORDS.es.unknown : WORDS.en.unknown };
}

function pointsText({ points }: Words, count: number, language: PushPayload['language']): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? points.one : points.other;
  return form.replace('{count}', count.toLocaleString(language));
}
