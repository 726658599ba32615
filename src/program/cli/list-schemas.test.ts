import { expect, test } from 'bun:test';
import { type ListName, listFields, listSchemas } from './list-schemas.ts';

test('every list has the fields of its items, those of optional objects included', async () => {
  for (const name of Object.keys(listSchemas) as ListName[]) {
    const fields = await listFields(name);
    expect([name, fields.length > 2, new Set(fields).size === fields.length]).toEqual([name, true, true]);
  }
  expect(await listFields('accounts')).toEqual(
    expect.arrayContaining(['id', 'credits.limit', 'credits.used', 'credits.remaining']),
  );
});
