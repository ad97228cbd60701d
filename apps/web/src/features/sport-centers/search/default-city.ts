import type { Town } from '@sendlap/contract/towns.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { storedServerTown } from '#web/shared/data/server-profile.ts';
import { townName } from '#web/shared/data/town-names.ts';

export interface NamedPosition extends Position {
  name: string;
}

type Row = [latitude: number, longitude: number, en: string, es?: string];

/** The biggest city of a time zone, with its Spanish name where it differs. */
const CITIES: Record<string, Row> = {
  'Europe/Madrid': [40.417, -3.704, 'Madrid'],
  'Africa/Ceuta': [35.889, -5.316, 'Ceuta'],
  'Atlantic/Canary': [28.1, -15.41, 'Las Palmas'],
  'Europe/Lisbon': [38.722, -9.139, 'Lisbon', 'Lisboa'],
  'Europe/Andorra': [42.507, 1.522, 'Andorra la Vella', 'Andorra la Vieja'],
  'Europe/Paris': [48.857, 2.352, 'Paris', 'París'],
  'Europe/London': [51.507, -0.128, 'London', 'Londres'],
  'Europe/Dublin': [53.349, -6.26, 'Dublin', 'Dublín'],
  'Europe/Brussels': [50.85, 4.352, 'Brussels', 'Bruselas'],
  'Europe/Amsterdam': [52.374, 4.89, 'Amsterdam', 'Ámsterdam'],
  'Europe/Berlin': [52.52, 13.405, 'Berlin', 'Berlín'],
  'Europe/Zurich': [47.377, 8.541, 'Zurich', 'Zúrich'],
  'Europe/Vienna': [48.208, 16.372, 'Vienna', 'Viena'],
  'Europe/Rome': [45.464, 9.19, 'Milan', 'Milán'],
  'Europe/Monaco': [43.738, 7.425, 'Monaco', 'Mónaco'],
  'Europe/Copenhagen': [55.676, 12.568, 'Copenhagen', 'Copenhague'],
  'Europe/Oslo': [59.913, 10.752, 'Oslo'],
  'Europe/Stockholm': [59.329, 18.069, 'Stockholm', 'Estocolmo'],
  'Europe/Helsinki': [60.17, 24.938, 'Helsinki'],
  'Atlantic/Reykjavik': [64.147, -21.942, 'Reykjavik', 'Reikiavik'],
  'Europe/Warsaw': [52.23, 21.012, 'Warsaw', 'Varsovia'],
  'Europe/Prague': [50.075, 14.438, 'Prague', 'Praga'],
  'Europe/Bratislava': [48.149, 17.107, 'Bratislava'],
  'Europe/Ljubljana': [46.057, 14.506, 'Ljubljana', 'Liubliana'],
  'Europe/Zagreb': [45.815, 15.982, 'Zagreb'],
  'Europe/Budapest': [47.498, 19.04, 'Budapest'],
  'Europe/Bucharest': [44.427, 26.103, 'Bucharest', 'Bucarest'],
  'Europe/Athens': [37.984, 23.728, 'Athens', 'Atenas'],
  'Europe/Kyiv': [50.45, 30.523, 'Kyiv', 'Kiev'],
  'Europe/Moscow': [55.756, 37.617, 'Moscow', 'Moscú'],
  'America/New_York': [40.713, -74.006, 'New York', 'Nueva York'],
  'America/Chicago': [41.878, -87.63, 'Chicago'],
  'America/Denver': [39.739, -104.99, 'Denver'],
  'America/Los_Angeles': [37.775, -122.419, 'San Francisco'],
  'America/Toronto': [43.651, -79.383, 'Toronto'],
  'America/Vancouver': [49.283, -123.121, 'Vancouver'],
  'America/Mexico_City': [19.433, -99.133, 'Mexico City', 'Ciudad de México'],
  'America/Bogota': [4.711, -74.072, 'Bogotá'],
  'America/Lima': [-12.046, -77.043, 'Lima'],
  'America/Santiago': [-33.449, -70.669, 'Santiago'],
  'America/Montevideo': [-34.901, -56.165, 'Montevideo'],
  'America/Buenos_Aires': [-34.604, -58.382, 'Buenos Aires'],
  'America/Argentina/Buenos_Aires': [-34.604, -58.382, 'Buenos Aires'],
  'America/Sao_Paulo': [-23.55, -46.633, 'São Paulo', 'San Pablo'],
  'Africa/Johannesburg': [-26.204, 28.047, 'Johannesburg', 'Johannesburgo'],
  'Asia/Tokyo': [35.677, 139.65, 'Tokyo', 'Tokio'],
  'Asia/Shanghai': [31.23, 121.474, 'Shanghai', 'Shanghái'],
  'Asia/Hong_Kong': [22.319, 114.169, 'Hong Kong'],
  'Asia/Singapore': [1.352, 103.82, 'Singapore', 'Singapur'],
  'Australia/Sydney': [-33.869, 151.209, 'Sydney', 'Sídney'],
  'Australia/Melbourne': [-37.814, 144.963, 'Melbourne'],
  'Pacific/Auckland': [-36.848, 174.763, 'Auckland'],
};

const FALLBACK_ZONE = { en: 'Europe/London', es: 'Europe/Madrid' };

/**
 * The start of a first visit, before any permission prompt: the server's town, else the biggest city of the device's
 * time zone. It is not a guess at the athlete's position, only a place with enough centers to look at.
 */
export function defaultCity(
  time_zone: string,
  language: 'en' | 'es',
  town: Town | null = storedServerTown(),
): NamedPosition {
  if (town) return { latitude: town.latitude, longitude: town.longitude, name: townName(town, language) };
  const [latitude, longitude, en, es] = CITIES[time_zone] ??
    CITIES[FALLBACK_ZONE[language]] ?? [40.417, -3.704, 'Madrid'];
  return { latitude, longitude, name: language === 'es' ? (es ?? en) : en };
}
