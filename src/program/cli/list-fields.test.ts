import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminKey } from '../../console/admin/admin-calls.ts';
import { listFields } from './list-fields.ts';

test('every list that a command prints has the fields of its items, those of optional objects included', async () => {
  const files = readdirSync(import.meta.dir).filter((name) => name.endsWith('-commands.ts'));
  const keys = files.flatMap((name) =>
    [...readFileSync(join(import.meta.dir, name), 'utf8').matchAll(/ key: '(GET [^']+)'/g)].map(
      ([, key]) => key as AdminKey,
    ),
  );
  expect(keys.length).toBeGreaterThan(8);
  for (const key of keys) {
    const fields = await listFields(key);
    expect({ key, count: fields.length }).toEqual({ key, count: new Set(fields).size });
    expect(fields.length).toBeGreaterThan(2);
  }
  expect(await listFields('GET /accounts')).toEqual(
    expect.arrayContaining(['id', 'credits.limit', 'credits.used', 'credits.remaining']),
  );
});
