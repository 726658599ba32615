import { expect, test } from 'bun:test';
import { parseConnectionUrl } from './parse-connection-url.ts';

test('decodes the parts of a URL', () => {
  expect(
    parseConnectionUrl('postgres://an%40na:p%2F%3A%25w@db.example:6432/my%20db?sslmode=verify-full'),
  ).toMatchObject({
    hosts: [{ host: 'db.example', port: 6432 }],
    user: 'an@na',
    password: 'p/:%w',
    database: 'my db',
    sslMode: 'verify-full',
    prepare: true,
  });
});

test.each([
  ['postgres://u@127.0.0.1/d', 'disable'],
  ['postgres://u@db.example/d', 'prefer'],
  ['postgres://u@db.example/d?sslmode=allow', 'prefer'],
  ['postgres://u@db.example/d?sslmode=require', 'require'],
  ['postgres://u@db.example/d?sslmode=require&sslrootcert=/ca.pem', 'verify-ca'],
] as const)('%s encrypts with the mode %s', (url, mode) => {
  expect(parseConnectionUrl(url).sslMode).toBe(mode);
});

test('reads several hosts, IPv6 addresses and the directory of a socket', () => {
  expect(parseConnectionUrl('postgresql://u@a:1,[::1]:2,c/d').hosts).toEqual([
    { host: 'a', port: 1 },
    { host: '::1', port: 2 },
    { host: 'c', port: 5432 },
  ]);
  expect(parseConnectionUrl('postgres://u@/d?host=/var/run/postgresql').hosts).toEqual([
    { host: '/var/run/postgresql', port: 5432 },
  ]);
});

test('names the user and the database as libpq does where the URL does not', () => {
  expect(parseConnectionUrl('postgres://anna@h')).toMatchObject({ user: 'anna', database: 'anna' });
});

test.each([
  'postgres://u:geheim@h:99999/d',
  'postgres://u:geheim%@h/d',
  'mysql://u:geheim@h/d',
  'postgres://u:geheim@[h/d',
  'postgres://u:geheim@h]/d',
  'postgres://u:geh@eim@h/d',
  'postgres://u:geheim@h/d?sslmode=no',
  'postgres://u:geheim@h/d?sslmod=require',
  'postgres://u:1?geheim@h/d',
])('refuses %s without repeating it', (url) => {
  expect(() => parseConnectionUrl(url)).toThrow();
  expect(() => parseConnectionUrl(url)).not.toThrow('geheim');
});

test('reads the parts of a URL from parameters', () => {
  const url =
    'postgres:///?host=a,b&port=1,2&user=anna&password=p%2F+w&dbname=d&ssl=true&connect_timeout=3&options=-c%20work_mem%3D8MB';
  expect(parseConnectionUrl(url)).toMatchObject({
    hosts: [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
    user: 'anna',
    password: 'p/+w',
    database: 'd',
    sslMode: 'require',
    connectTimeoutMs: 3_000,
    options: '-c work_mem=8MB',
  });
  expect(parseConnectionUrl('postgres://h/d?connect_timeout=0').connectTimeoutMs).toBeUndefined();
});
