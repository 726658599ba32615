import { expect, test } from 'bun:test';
import { encodeStep } from './encode-step.ts';

test('drops an empty text only if it has no sources', () => {
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
