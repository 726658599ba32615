import { expect, test } from 'bun:test';
import { newId, orderedId } from '../../base/lib/ids.ts';
import { entryIdOf, requestOfDifference, usageEntryId } from './entry-id.ts';

test('finds an entry by the id of its request or of its answer in any dialect [CRD-46]', () => {
  const requestId = orderedId('req_', 1_800_000_000_000);
  const random = requestId.slice('req_'.length);
  for (const prefix of ['req_', 'msg_', 'resp_', 'chatcmpl-', 'cmpl-', 'ent_'])
    expect(entryIdOf(prefix + random)).toBe(usageEntryId(requestId));
});

test('the id of an entry without a request is unchanged', () => {
  for (const id of [newId('ent_'), 'ent_renewal_acct_1_1800000000000']) expect(entryIdOf(id)).toBe(id);
});

test('an invalid id leads to no entry', () => {
  for (const id of ['', 'x', 'a_b_c', 'req_', 'req_a b', '__proto__', 'é_1'])
    expect(entryIdOf(id)).not.toStartWith('ent_');
});

test('only the adjustment of an estimate names its request', () => {
  expect(requestOfDifference('ent_late_Vbk3')).toBe('req_Vbk3');
  for (const id of ['ent_Vbk3', 'ent_renewal_acct_1_1800000000000', 'req_late_1'])
    expect(requestOfDifference(id)).toBeUndefined();
});
