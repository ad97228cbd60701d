import type { Locale } from '../http/pages/locale.ts';

const en = {
  title: 'Sendlap on this device',
  lead: 'Three steps, once per device. After them Sendlap works fully, also without signal.',
  download_title: 'Get the certificate',
  download: 'Download the certificate',
  trust_title: 'Trust the certificate',
  open_title: 'Open Sendlap',
  open: 'Open Sendlap',
  trusted: 'This device trusts the server.',
  untrusted: 'This device does not trust the server yet.',
  platforms: { android: 'Android', ios: 'iPhone and iPad', computer: 'Computer' },
  steps: {
    android: (name: string) => [
      'Open the phone’s settings and search there for “CA certificate”.',
      'Tap “CA certificate”, then “Install anyway”, and choose the file sendlap-ca.crt.',
      `Come back here. The phone now lists “${name}” among the user’s certificates.`,
    ],
    ios: (name: string) => [
      'Tap “Allow” when Safari asks about the profile.',
      'Open Settings, tap “Profile Downloaded” at the top, then “Install”.',
      `In Settings, open General, About, Certificate Trust Settings, and switch on “${name}”.`,
    ],
    computer: (name: string) => [
      'Open the browser’s settings, search there for “certificates”, and import the file sendlap-ca.crt as a certificate authority for websites.',
      `On a Mac, open the file instead, find “${name}” in Keychain Access, and set it to “Always Trust”.`,
    ],
  },
  skip_title: 'What if I skip this?',
  skip: 'Open Sendlap anyway: the browser warns, and under “Advanced” it lets you continue. Everything works except opening the app without signal, installing it, and notifications.',
  safe_title: 'What am I allowing?',
  safe: (name: string, hosts: string) =>
    `“${name}” is valid for addresses of a local network only (${hosts}), never for a website on the internet. Its key stays on the computer that runs this server. You can remove it in the device’s settings at any time.`,
  fingerprint:
    'In a network that others share, open its details before you trust it: its SHA-256 fingerprint has to begin as the server’s terminal says.',
};

const es: typeof en = {
  title: 'Sendlap en este dispositivo',
  lead: 'Son tres pasos y solo se hacen una vez en cada dispositivo. Después Sendlap funciona del todo, también sin cobertura.',
  download_title: 'Descarga el certificado',
  download: 'Descargar el certificado',
  trust_title: 'Confía en el certificado',
  open_title: 'Abre Sendlap',
  open: 'Abrir Sendlap',
  trusted: 'Este dispositivo confía en el servidor.',
  untrusted: 'Este dispositivo aún no confía en el servidor.',
  platforms: { android: 'Android', ios: 'iPhone y iPad', computer: 'Ordenador' },
  steps: {
    android: (name: string) => [
      'Abre los ajustes del teléfono y busca «certificado de CA».',
      'Toca «Certificado de CA», luego «Instalar de todas formas» y elige el archivo sendlap-ca.crt.',
      `Vuelve aquí. El teléfono muestra ahora «${name}» entre los certificados del usuario.`,
    ],
    ios: (name: string) => [
      'Toca «Permitir» cuando Safari pregunte por el perfil.',
      'Abre Ajustes, toca arriba «Perfil descargado» y después «Instalar».',
      `En Ajustes, entra en General, Información, Ajustes de confianza de los certificados, y activa «${name}».`,
    ],
    computer: (name: string) => [
      'Abre los ajustes del navegador, busca «certificados» e importa el archivo sendlap-ca.crt como autoridad de certificación para sitios web.',
      `En un Mac, abre el archivo, busca «${name}» en Acceso a Llaveros y elige «Confiar siempre».`,
    ],
  },
  skip_title: '¿Y si me lo salto?',
  skip: 'Puedes abrir Sendlap igualmente: el navegador te avisará y, en «Avanzado», te dejará continuar. Funciona todo menos abrir la app sin cobertura, instalarla y recibir notificaciones.',
  safe_title: '¿Qué estoy permitiendo?',
  safe: (name: string, hosts: string) =>
    `«${name}» solo sirve para direcciones de una red local (${hosts}), nunca por un sitio de internet. Su clave nunca sale del ordenador donde está el servidor. Puedes quitarlo cuando quieras en los ajustes del dispositivo.`,
  fingerprint:
    'En una red compartida, abre sus detalles antes de confiar: su huella SHA-256 tiene que empezar como dice el terminal del servidor.',
};

export type Platform = keyof typeof en.platforms;

export const GUIDE_TEXTS: Record<Locale, typeof en> = { en, es };
