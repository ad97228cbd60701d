import type { Language } from '#web/shared/i18n/language.ts';

const en = {
  short: 'Start climbing',
  long: 'Ask the referee on duty at this sport center to confirm your last activity',
  unbroken: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
  title: 'Bouldering Hall North',
  text: 'The points of this activity count as soon as a referee confirms it.',
  problem: 'This activity overlaps another one. Change its times and save it again.',
  question: 'Everything that only this device holds will be deleted.',
  cancel: 'Keep everything',
  label: 'Name',
  hint: 'Friends and boards show this name.',
  error: 'A name has at most 50 characters.',
  options: ['Light', 'Moderate', 'Vigorous'],
  rtl: 'سارة القحطاني',
};

/** Texts of a component in the gallery, in the lengths of a language. */
export type Samples = typeof en;

export const SAMPLES: Record<Language, Samples> = {
  en,
  es: {
    short: 'Empezar a escalar',
    long: 'Pide a la persona que arbitra hoy en este centro deportivo que confirme tu última actividad',
    unbroken: 'Electroencefalografistasiberoamericanos-internacionales',
    title: 'Rocódromo de la Ciudad Universitaria',
    text: 'Los puntos de esta actividad cuentan en cuanto alguien con permiso para arbitrar la confirme.',
    problem: 'Esta actividad se solapa con otra. Cambia las horas de una de las dos y vuelve a guardarla.',
    question: 'Se borrará todo lo que solo está guardado en este dispositivo.',
    cancel: 'Conservarlo todo',
    label: 'Nombre',
    hint: 'Así te verán tus amigos y así saldrás en las clasificaciones.',
    error: 'El nombre puede tener 50 caracteres como máximo.',
    options: ['Suave', 'Moderada', 'Intensa'],
    rtl: 'سارة القحطاني',
  },
};
