import { expect, test } from 'bun:test';
import { itemText } from './item-text.ts';

test('shows items of a response in words', () => {
  const shown = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look:' },
        { type: 'input_image', image_url: 'data:' },
      ],
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A cat.' }] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'function_call', name: 'look', arguments: '{"at":1}' },
    { type: 'function_call_output', output: 'cat' },
    { type: 'web_search_call' },
    { type: 'unheard_of' },
    null,
  ].map(itemText);
  expect(shown.map(({ title, text }) => [title, text])).toEqual([
    ['User', 'Look:\n[image]'],
    ['Model', 'A cat.'],
    ['Thinking', 'Hm.'],
    ['Calls look', '{"at":1}'],
    ['Tool result', 'cat'],
    ['Calls', ''],
    ['unheard_of', ''],
    ['', ''],
  ]);
});
