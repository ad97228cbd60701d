import type { PushPayload } from '@sendlap/contract/push-subscriptions.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';

interface PushTexts {
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
const PUSH_TEXTS: Record<PushPayload['language'], PushTexts> = {
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

interface NotificationText {
  title: string;
  body: string;
}

/** The texts of a notification in the subscription's language: the person in the title, the event in the body. */
export function notificationText(payload: PushPayload): NotificationText {
  const texts = PUSH_TEXTS[payload.language] ?? PUSH_TEXTS.en;
  const person = (name: string) => (name === DEFAULT_DISPLAY_NAME ? texts.nameless : name);
  switch (payload.kind) {
    case 'message':
      return { title: person(payload.name), body: payload.text ?? texts.message };
    case 'friend_request':
    case 'friend_accepted':
      return { title: person(payload.name), body: texts[payload.kind] };
    case 'activity_validated': {
      const points = pointsText(texts, payload.points, payload.language);
      return { title: texts.activity_validated, body: [points, payload.center].filter(Boolean).join(' · ') };
    }
    case 'activity_rejected':
      return { title: texts.activity_rejected, body: payload.center ?? '' };
    default:
      return fallbackText(payload);
  }
}

/** For a push that cannot be parsed, or from a later version. Browsers require that every push is shown. */
export function fallbackText(payload: unknown): NotificationText {
  const language = (payload as { language?: unknown } | null)?.language;
  return { title: 'Sendlap', body: language === 'es' ? PUSH_TEXTS.es.unknown : PUSH_TEXTS.en.unknown };
}

function pointsText({ points }: PushTexts, count: number, language: PushPayload['language']): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? points.one : points.other;
  return form.replace('{count}', count.toLocaleString(language));
}
