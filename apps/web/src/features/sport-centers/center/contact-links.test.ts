import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { describe, expect, it } from 'vitest';
import { siteName } from '#web/shared/data/site-name.ts';
import { directionsAppUrl, directionsWebUrl, phoneUrl, webUrl } from './contact-links.ts';

describe('links of a center', () => {
  const odd = ['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b.es', 'ftp://example.org', 'none', ''];
  const disguised = [
    'https://climb.example:443@evil.example/',
    'https://user@evil.example',
    'user:password@evil.example',
  ];
  it.each([...odd, ...disguised, null])('make no web link of %j', (url) => expect(webUrl(url)).toBeNull());

  it('take http and https as they are and give a bare domain https', () => {
    expect(webUrl('http://example.org/a')).toBe('http://example.org/a');
    expect(webUrl(' www.example.org ')).toBe('https://www.example.org/');
  });

  it.each([
    ['+34 93 411 55 00', 'tel:+34934115500'],
    ['(030) 123-456; 789', 'tel:030123456'],
    ['+1 800 555 1234 ext. 12', 'tel:+18005551234'],
    ['ask at the desk', null],
    ['javascript:alert(234567)', null],
    ['12', null],
    [null, null],
  ])('read the phone number %j as %j', (phone, link) => {
    expect(phoneUrl(phone)).toBe(link);
  });

  const center = { latitude: 41.4, longitude: 2.2, name: 'Roc (30)&' } as SportCenter;

  it('lead to the map app of a phone, and of nothing else', () => {
    expect(directionsAppUrl(center, 'Mozilla/5.0 (X11; Linux)')).toBeNull();
    expect(directionsAppUrl(center, 'Mozilla/5.0 (Linux; Android 16)')).toBe('geo:41.4,2.2?q=41.4,2.2(Roc%20(30)%26)');
    expect(directionsAppUrl(center, 'Mozilla/5.0 (iPhone)')).toMatch(
      /^https:\/\/maps\.apple\.com\/\?daddr=41\.4,2\.2&q=/,
    );
  });

  it('lead to a page wherever there is no map app', () => {
    expect(directionsWebUrl(center)).toBe('https://www.openstreetmap.org/directions?to=41.4%2C2.2');
  });

  it.each([
    ['https://www.climbat.com/en/?a=1', 'climbat.com'],
    ['http://piscina.ad', 'piscina.ad'],
  ])('are read as a short name: %s as %s', (url, name) => expect(siteName(url)).toBe(name));
});
