import { afterAll, describe, expect, test } from 'bun:test';
import { MEDIA_URLS, reservedFields } from '../../src/translation/canonical/reserved-field.ts';
import type { Json } from '../support/call.ts';
import { memberDialects, startMemberServer } from '../support/start-member-server.ts';
import { ableModel } from '../support/wire-models.ts';

const { upstream, ask, sent, expectRefused, stop } = await startMemberServer(
  { plain: {}, consenting: { provider: { allow_fields: reservedFields } } },
  {
    models: [
      ableModel('either', [
        { provider: 'hidden-plain-openai-chat', model: 'hidden-first' },
        { provider: 'hidden-consenting-openai-chat', model: 'hidden-second' },
      ]),
    ],
  },
);
afterAll(stop);

const onInternet = 'https://pictures.example/a.png';
const mediaParts = {
  chat: (url: string) => [{ type: 'image_url', image_url: { url } }],
  messages: (url: string) => [{ type: 'image', source: { type: 'url', url } }],
  responses: (url: string) => [{ type: 'input_image', image_url: url }],
};
const mediaPaths = {
  chat: 'messages[0].content[0].image_url.url',
  messages: 'messages[0].content[0].source.url',
  responses: 'input[0].content[0].image_url',
};

describe('a media URL', () => {
  const withinNetworks = [
    ...['http://127.0.0.1/a', 'http://10.0.0.1/a', 'http://192.168.1.1/a', 'http://169.254.169.254/latest'],
    ...['http://8.8.8.8/a', 'http://2130706433/a', 'http://0x7f.1/a', 'http://017700000001/a'],
    ...['http://[::1]/a', 'http://[::ffff:10.0.0.1]/a', 'http://[2606:4700::1]/a', 'http://127.0.0.1./a'],
    ...['http://localhost/a', 'http://a.localhost/a', 'http://printer.local/a', 'http://db.internal/a'],
    ...['http://metadata/a', 'http://LOCALHOST./a', 'https://me:secret@pictures.example/a', 'https://'],
  ];
  for (const name of ['chat', 'messages', 'responses'] as const) {
    test(`within a network, with a numeric host or with credentials is refused on ${name}`, async () => {
      const { own, other, says } = memberDialects[name];
      for (const url of withinNetworks) {
        for (const wire of [own, other]) {
          const answer = await ask(name, `consenting-${wire}`, says(mediaParts[name](url)));
          expectRefused(answer, 400, mediaPaths[name]);
        }
      }
    });

    test(`is not sent to a server in the operator's network unless its row allows it, on ${name}`, async () => {
      const { own, other, says } = memberDialects[name];
      const fields = says(mediaParts[name](onInternet));
      for (const wire of [own, other])
        expectRefused(await ask(name, `plain-${wire}`, fields), 400, mediaPaths[name]);
      const { body } = await sent(name, `consenting-${own}`, fields);
      expect(JSON.stringify(body)).toContain(onInternet);
    });
  }

  test('is sent to another target that accepts it', async () => {
    await sent('chat', 'either', memberDialects.chat.says(mediaParts.chat(onInternet)));
    expect(upstream.models()).toEqual(['hidden-second']);
  });

  test('is found in every member that readers use', async () => {
    const url = 'http://10.0.0.1/a';
    const parts: readonly (readonly [Json, string])[] = [
      [{ type: 'video_url', video_url: { url } }, 'video_url.url'],
      [{ type: 'video_url', video_url: { URL: url } }, 'video_url.URL'],
      [{ type: 'video_url', video_url: { url: 'file:///etc/passwd' } }, 'video_url.url'],
      [{ type: 'document_url', document_url: url }, 'document_url'],
      [{ type: 'file', file: { file_data: url } }, 'file.file_data'],
    ];
    for (const [part, path] of parts) {
      const answer = await ask('chat', 'consenting-openai-chat', memberDialects.chat.says([part]));
      expectRefused(answer, 400, `messages[0].content[0].${path}`);
    }
    const file = { type: 'input_file', file_url: url };
    const answer = await ask(
      'responses',
      'consenting-openai-responses',
      memberDialects.responses.says([file]),
    );
    expectRefused(answer, 400, 'input[0].content[0].file_url');
    const source = { type: 'content', content: mediaParts.messages(url) };
    const inner = await ask(
      'messages',
      'consenting-anthropic-messages',
      memberDialects.messages.says([{ type: 'document', source }]),
    );
    expectRefused(inner, 400, 'messages[0].content[0].source.content[0].source.url');
  });

  test('in plain text is not treated as one', async () => {
    const text = 'see http://10.0.0.1/a and {"url":"http://localhost"}';
    await sent('chat', 'plain-openai-chat', { messages: [{ role: 'user', content: text }] });
    const block = {
      type: 'search_result',
      source: 'http://wiki.internal/a',
      title: 't',
      content: [{ type: 'text', text: 'a' }],
    };
    const { body } = await sent(
      'messages',
      'plain-anthropic-messages',
      memberDialects.messages.says([block]),
    );
    expect(body.messages[0].content).toEqual([block]);
    expect(reservedFields).toContain(MEDIA_URLS);
  });
});
