import { expect, test } from 'bun:test';
import { NodeClosed } from './node-closed.ts';
import { Refusal } from './refusal.ts';
import { refusalOfError } from './refusal-of-error.ts';
import { Unavailable } from './unavailable.ts';

test('reports a bug as an internal error, without its text', () => {
  const { code, message } = refusalOfError(new Error('/secret/path'));
  expect({ code, message }).toEqual({ code: 'internal_error', message: 'An internal error occurred.' });
});

test('reports an unavailable part as a lack of capacity that refers to the probe, without a path', () => {
  const refusal = refusalOfError(new Unavailable('/secret/path is away', 'put it back'));
  expect(refusal).toMatchObject({ code: 'capacity_unavailable', status: 503 });
  expect(refusal.message).toContain('/readyz');
  expect(refusal.message).not.toContain('secret');
});

test('returns a thrown refusal unchanged', () => {
  const refusal = new Refusal('not_found');
  expect(refusalOfError(refusal)).toBe(refusal);
});

test('reports a request that another node has ended as a lack of capacity, without the node', () => {
  const refusal = refusalOfError(new NodeClosed('node_1'));
  expect(refusal).toMatchObject({
    code: 'capacity_unavailable',
    message: 'The server has lost its part of this request; retry it.',
  });
});
