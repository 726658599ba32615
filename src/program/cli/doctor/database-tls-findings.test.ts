import { expect, test } from 'bun:test';
import { databaseTlsFindings } from './database-tls-findings.ts';

test('warns of a database on another machine without TLS', () => {
  const checksOf = (rest: string) =>
    databaseTlsFindings(`postgres://u:sesame@${rest}`).map(({ check }) => check);
  for (const rest of ['db.example/d', 'db.example/d?sslmode=disable', '127.0.0.1,10.0.0.5/d?sslmode=prefer'])
    expect({ rest, checks: checksOf(rest) }).toEqual({ rest, checks: ['database_tls'] });
  for (const rest of [
    '127.0.0.1/d',
    'localhost/d',
    '[::1]/d',
    '/d?host=/run/postgresql',
    'db.example/d?sslmode=require',
  ])
    expect({ rest, checks: checksOf(rest) }).toEqual({ rest, checks: [] });
  expect(JSON.stringify(databaseTlsFindings('postgres://u:sesame@db.example/d'))).not.toContain('sesame');
});
