import { describe, expect, it } from 'vitest';
import { mayFollow } from './redirects.ts';

const follow = (first: string, target: string) => mayFollow(new URL(first), new URL(target));

describe('a redirect', () => {
  it.each([
    ['https://93.184.215.14/', 'http://93.184.215.14/'],
    ['https://93.184.215.14/', 'ftp://93.184.215.14/'],
    ['http://93.184.215.14/', 'file:///etc/passwd'],
    ['http://93.184.215.14/', 'http://localhost/'],
    ['http://93.184.215.14/', 'http://127.0.0.1:8080/'],
    ['https://93.184.215.14/', 'https://127.1/'],
    ['https://93.184.215.14/', 'https://0.0.0.0/'],
    ['https://93.184.215.14/', 'https://10.1.2.3/'],
    ['https://93.184.215.14/', 'https://172.31.0.1/'],
    ['https://93.184.215.14/', 'https://192.168.0.1/'],
    ['https://93.184.215.14/', 'https://100.64.0.1/'],
    ['http://93.184.215.14/', 'http://169.254.169.254/latest/meta-data'],
    ['http://93.184.215.14/', 'http://[::1]/'],
    ['http://93.184.215.14/', 'http://[::]/'],
    ['http://93.184.215.14/', 'http://[fd00::1]/'],
    ['http://93.184.215.14/', 'http://[fe80::1]/'],
    ['http://93.184.215.14/', 'http://[::ffff:10.0.0.1]/'],
    ['http://93.184.215.14/', 'http://[64:ff9b::7f00:1]/'],
  ])('from %s is not followed to %s', async (first, target) => {
    expect(await follow(first, target)).toBe(false);
  });

  it.each([
    ['https://93.184.215.14/', 'https://93.184.216.34/'],
    ['http://93.184.215.14/', 'https://93.184.216.34/'],
    ['http://93.184.215.14/', 'http://[2606:2800:21f::1]/'],
    ['http://127.0.0.1/', 'http://10.0.0.1/'],
    ['http://localhost/', 'http://93.184.216.34/'],
    ['http://[::1]/', 'http://127.0.0.1/'],
  ])('from %s is followed to %s', async (first, target) => {
    expect(await follow(first, target)).toBe(true);
  });
});
