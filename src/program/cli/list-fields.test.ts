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
    expect([key, fields.length > 2, new Set(fields).size === fields.length]).toEqual([key, true, true]);
  }
  expect(await listFields('GET /accounts')).toEqual(
    expect.arrayContaining(['id', 'credits.limit', 'credits.used', 'credits.remaining']),
  );
});
