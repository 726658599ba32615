import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { placeRefusal } from './place-refusal.ts';

const refusal = (said: string) =>
  new Refusal('invalid_request', { quote: said, message: 'the model reads no such image' });
const body = {
  messages: [
    { role: 'user', content: 'https://a.example/b.png is broken' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      ],
    },
  ],
};

test('adds the path of the unsupported content [ERR-14]', () => {
  for (const [said, place] of [
    ['https://a.example/b.png', 'messages[1].content[1].image_url.url'],
    ['AAAA', 'messages[1].content[0].image_url.url'],
  ] as const) {
    const { param, message } = placeRefusal(refusal(said), body);
    expect({ param, message }).toEqual({ param: place, message: `${place}: the model reads no such image.` });
  }
});

test('adds no path to content that is not in the request', () => {
  const { param, message } = placeRefusal(refusal('elsewhere'), body);
  expect({ param, message }).toEqual({ param: null, message: 'The model reads no such image.' });
});
