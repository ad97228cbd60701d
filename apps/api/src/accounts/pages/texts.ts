import type { Locale } from '#api/http/pages/locale.ts';
import type { SignInProblem, SignUpProblem } from '../accounts.ts';

/** The problems that a sign-in form can report. */
export type PageProblem = SignInProblem | SignUpProblem | MailProblem;

/** Why no mail is sent. */
export type MailProblem = 'too_many_links' | 'too_many_mails' | 'mail_failed';

const en = {
  sign_in: 'Sign in',
  sign_up: 'Create account',
  email: 'E-mail',
  display_name: 'Display name',
  display_name_hint: 'Shown to friends and on boards',
  password: 'Password',
  password_hint: 'At least 8 characters. A short sentence is easy to remember.',
  no_account: 'New here?',
  have_account: 'Already have an account?',
  back: 'Back to Sendlap',
  forgot: 'Forgot your password?',
  forgot_by_operator: 'The operator of this server can send you a link to choose a new one.',
  forgot_title: 'Forgot your password?',
  forgot_body: 'Enter the e-mail of your account. You will get a link to choose a new password.',
  forgot_submit: 'Send me the link',
  forgot_sent: {
    title: 'Check your e-mail',
    body: 'If there is an account, an e-mail is on its way. Its link works once, for 30 minutes.',
  },
  forgot_again: 'Nothing after a few minutes? Look in the spam folder.',
  sign_up_by_mail: 'You will get a link by e-mail. There you choose your name and your password.',
  sign_up_sent: {
    title: 'Check your e-mail',
    to: 'An e-mail is on its way to',
    body: 'Open it to continue. Its link works once, for 24 hours.',
  },
  sign_up_resend: 'Send it again',
  sign_up_resent: 'Another e-mail is on its way.',
  sign_up_other_email: 'Use another address',
  sign_up_elsewhere: 'Finished on another device?',
  sign_up_last_step: 'Last step',
  sign_up_done: {
    title: 'Your account is ready',
    body: 'Sign in here, or on the device where you began.',
  },
  sign_up_invalid: {
    title: 'This link no longer works',
    body: 'It was used already, or it is older than 24 hours. If you already have your account, sign in.',
  },
  reset_title: 'Choose a new password',
  new_password: 'New password',
  reset_submit: 'Save the password',
  reset_done: {
    title: 'Done',
    body: 'Your new password is saved, and all your devices are signed out. Sign in with it.',
  },
  reset_invalid: {
    title: 'This link no longer works',
    body: 'It was used already, it is too old, or you asked for a newer one.',
  },
  reset_ask_again: 'Ask for a new link',
  sign_out: {
    title: 'Sign out?',
    body: 'This signs you out of Sendlap in this browser. Your other devices stay signed in.',
  },
  sign_out_submit: 'Sign out here',
  notices: {
    expired: {
      title: 'This sign-in has expired',
      body: 'It was open for too long, or it was finished in another tab. Please start again.',
    },
    failed: { title: 'Sign-in did not work', body: 'Something went wrong on our side. Please start again.' },
    unavailable: { title: 'Not available just now', body: 'Please wait a moment and try again.' },
    too_many: { title: 'Too many sign-ins', body: 'Too many attempts from here. Please wait a minute and try again.' },
    signed_out: { title: 'You are signed out here', body: 'Your other devices stay signed in.' },
  },
  problems: {
    credentials_wrong: 'E-mail or password is not right.',
    too_many_attempts: 'Too many attempts. Please wait a minute and try again.',
    too_many_links: 'Too many requests from here. Please try again in an hour.',
    too_many_mails: 'This address got several e-mails from us. Look for them, or try again in an hour.',
    mail_failed: 'The e-mail could not be sent. Check the address, or try again in a few minutes.',
    email_invalid: 'Please check the e-mail address.',
    email_taken: 'There is already an account with this e-mail. Sign in instead.',
    name_missing: 'Please enter a display name.',
    name_long: 'The display name can have at most 40 characters.',
    password_short: 'The password needs at least 8 characters.',
    password_long: 'The password can have at most 128 characters.',
    password_common: 'This password is too easy to guess. Please choose another one.',
  } satisfies Record<PageProblem, string>,
};

const es: typeof en = {
  sign_in: 'Iniciar sesión',
  sign_up: 'Crear cuenta',
  email: 'Correo electrónico',
  display_name: 'Nombre visible',
  display_name_hint: 'El nombre que verán tus amigos y las clasificaciones',
  password: 'Contraseña',
  password_hint: 'Al menos 8 caracteres. Una frase corta se recuerda bien.',
  no_account: '¿Es tu primera vez?',
  have_account: '¿Ya tienes cuenta?',
  back: 'Volver a Sendlap',
  forgot: '¿Has olvidado la contraseña?',
  forgot_by_operator: 'Quien administra este Sendlap puede darte un enlace para elegir una nueva.',
  forgot_title: '¿Has olvidado la contraseña?',
  forgot_body: 'Escribe el correo de tu cuenta. Recibirás un enlace para elegir una contraseña nueva.',
  forgot_submit: 'Enviarme el enlace',
  forgot_sent: {
    title: 'Mira tu correo',
    body: 'Si hay una cuenta, el mensaje está en camino. Su enlace sirve una sola vez, durante 30 minutos.',
  },
  forgot_again: '¿No llega nada en unos minutos? Mira en la carpeta de spam.',
  sign_up_by_mail: 'Te llegará un enlace por correo. Con él eliges tu nombre y tu contraseña.',
  sign_up_sent: {
    title: 'Mira tu correo',
    to: 'Hay un mensaje en camino a',
    body: 'Ábrelo para seguir. Su enlace sirve una sola vez, durante 24 horas.',
  },
  sign_up_resend: 'Enviarlo otra vez',
  sign_up_resent: 'Hay otro mensaje en camino.',
  sign_up_other_email: 'Usar otra dirección',
  sign_up_elsewhere: '¿Has terminado en otro dispositivo?',
  sign_up_last_step: 'El último paso',
  sign_up_done: {
    title: 'Tu cuenta está lista',
    body: 'Inicia sesión aquí o en el dispositivo donde empezaste.',
  },
  sign_up_invalid: {
    title: 'Este enlace ya no sirve',
    body: 'Ya se usó o tiene más de 24 horas. Si ya tienes tu cuenta, inicia sesión.',
  },
  reset_title: 'Elige una contraseña nueva',
  new_password: 'Contraseña nueva',
  reset_submit: 'Guardar la contraseña',
  reset_done: {
    title: 'Hecho',
    body: 'Tu contraseña nueva está guardada y se ha cerrado la sesión en todos tus dispositivos. Inicia sesión con ella.',
  },
  reset_invalid: {
    title: 'Este enlace ya no sirve',
    body: 'Ya se usó, es demasiado antiguo o pediste otro más nuevo.',
  },
  reset_ask_again: 'Pedir un enlace nuevo',
  sign_out: {
    title: '¿Cerrar sesión?',
    body: 'Se cerrará la sesión de Sendlap en este navegador. En tus otros dispositivos seguirá abierta.',
  },
  sign_out_submit: 'Cerrar sesión aquí',
  notices: {
    expired: {
      title: 'Este inicio de sesión ha caducado',
      body: 'Ha estado abierto demasiado tiempo o terminó en otra pestaña. Empieza de nuevo.',
    },
    failed: { title: 'No se ha podido iniciar sesión', body: 'Algo ha fallado por nuestra parte. Empieza de nuevo.' },
    unavailable: { title: 'No disponible en este momento', body: 'Espera un momento y vuelve a intentarlo.' },
    too_many: {
      title: 'Demasiados inicios de sesión',
      body: 'Ha habido demasiados intentos desde aquí. Espera un minuto y vuelve a probar.',
    },
    signed_out: {
      title: 'Has cerrado la sesión aquí',
      body: 'En tus otros dispositivos la sesión sigue abierta.',
    },
  },
  problems: {
    credentials_wrong: 'El correo o la contraseña no son correctos.',
    too_many_attempts: 'Demasiados intentos. Espera un minuto y vuelve a probar.',
    too_many_links: 'Demasiadas peticiones desde aquí. Vuelve a probar en una hora.',
    too_many_mails: 'Ya hemos enviado varios mensajes a esta dirección. Búscalos o vuelve a probar en una hora.',
    mail_failed: 'No se ha podido enviar el mensaje. Revisa la dirección o vuelve a probar en unos minutos.',
    email_invalid: 'Revisa la dirección de correo.',
    email_taken: 'Ya hay una cuenta con este correo. Inicia sesión.',
    name_missing: 'Escribe un nombre visible.',
    name_long: 'El nombre visible puede tener como máximo 40 caracteres.',
    password_short: 'La contraseña necesita al menos 8 caracteres.',
    password_long: 'La contraseña puede tener como máximo 128 caracteres.',
    password_common: 'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
  },
};

export type NoticeKind = keyof typeof en.notices;

export type Texts = typeof en;
export const TEXTS: Record<Locale, Texts> = { en, es };
