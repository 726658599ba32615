import { expect, test } from 'bun:test';
import type { Outcome, Receipt } from '../../money/ledger/entry.ts';
import { sampleReceipt } from '../../store/testing/conformance/sample-ledger.ts';
import { explainCharge } from './explain-charge.ts';

const receipt = sampleReceipt({ model: 'asked', servedModel: 'asked' });
const explained = (fields: Partial<Receipt>, shortfall = 0): string =>
  explainCharge({ ...receipt, ...fields }, shortfall);

test('explains each outcome [CRD-46]', () => {
  const outcomes = ['complete', 'left', 'recovered', 'failed'] satisfies Outcome[];
  const texts = outcomes.map((outcome) => explained({ outcome }));
  expect(texts.map((text) => text.split(' ').slice(0, 4).join(' '))).toEqual([
    'The answer was complete.',
    'The client disconnected or',
    'The server ended before',
    'The answer ended with',
  ]);
});

test('says that a simulated answer is free [CRD-44]', () => {
  expect(explained({ isSimulated: true })).toStartWith('The simulator answered in place of the model');
  expect(explained({})).not.toContain('simulator');
});

test('explains estimated tokens and a substituted model [CRD-46]', () => {
  expect(explained({})).toEndWith('The tokens are those that the upstream counted.');
  expect(explained({ isEstimated: true })).toContain('The tokens are an estimate');
  const implausible = explained({ isEstimated: true, isImplausible: true });
  expect(implausible).toContain('reported more tokens than this request can use');
  expect(implausible).not.toContain('no usable count');
  expect(explained({ servedModel: 'another' })).toContain('another answered instead of asked');
});

test('explains a charge below the list cost, even if the receipt names no bound [CRD-42] [CRD-46]', () => {
  const shortOf = (bound: 'purchased-balance' | 'key-cap') =>
    explained({ shortfall: { listCostMicrocredits: 9, bound } }, 4);
  expect(shortOf('purchased-balance')).toContain('The purchased balance did not cover');
  expect(shortOf('key-cap')).toContain("The key's monthly cap did not cover");
  expect(explained({}, 4)).toContain("A balance or the key's cap did not cover");
  expect(explained({ beyondCapMicrocredits: 5 })).toContain('pay the list cost in full');
});
