import { expect, test } from 'bun:test';
import { encodeStep } from './encode-step.ts';

test('keeps the sources of an empty text, and drops an empty text without sources', () => {
  const view = { showsSummaries: true };
  const citations = [{ issuer: 'google' as const, url: 'https://a.example', raw: {} }];
  expect(encodeStep({ kind: 'text', text: '', citations }, view)).toEqual([
    {
      type: 'model_output',
      content: [
        { type: 'text', text: '', annotations: [{ type: 'url_citation', url: 'https://a.example' }] },
      ],
    },
  ]);
  expect(encodeStep({ kind: 'text', text: '' }, view)).toEqual([]);
});
