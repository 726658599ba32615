import { type Html, html, prose } from '../html.ts';
import { block, section } from '../section.ts';

type Sample = { title: string; note: string; code: string; needs: string };

/** Samples for each endpoint. The page shows those whose endpoint this server has. */
const samples: readonly Sample[] = [
  {
    needs: '/v1/chat/completions',
    title: 'curl',
    note: 'Add `"stream": true` to stream the answer.',
    code: `curl {origin}/v1/chat/completions \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{
    "model": "{model}",
    "messages": [{ "role": "user", "content": "Hello!" }]
  }'`,
  },
  {
    needs: '/v1/chat/completions',
    title: 'Python',
    note: 'With the official SDK: `pip install openai`.',
    code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key=os.environ["API_KEY"],
)
completion = client.chat.completions.create(
    model="{model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`,
  },
  {
    needs: '/v1/chat/completions',
    title: 'TypeScript',
    note: 'With the official SDK: `npm install openai`.',
    code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '{origin}/v1',
  apiKey: process.env.API_KEY,
});
const completion = await client.chat.completions.create({
  model: '{model}',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(completion.choices[0].message.content);`,
  },
  {
    needs: '/v1/messages',
    title: 'Python, Anthropic SDK',
    note: 'With the official SDK: `pip install anthropic`. The base URL has no `/v1`.',
    code: `import os
from anthropic import Anthropic

client = Anthropic(
    base_url="{origin}",
    api_key=os.environ["API_KEY"],
)
message = client.messages.create(
    model="{model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(message.content[0].text)`,
  },
  {
    needs: '/v1/responses',
    title: 'Python, Responses',
    note: 'With the OpenAI client from above.',
    code: `response = client.responses.create(
    model="{model}",
    input="Hello!",
)
print(response.output_text)`,
  },
];

export const quickStart = (paths: ReadonlySet<string>): Html =>
  section(
    { id: 'quick-start', title: 'Quick start' },
    html`
<p>${prose('Set the base URL of your client to this server, and use one of your API keys.')}</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>{origin}/v1</code></dd></div>
<div><dt>Model</dt><dd><code>{model}</code> or any other model of <a href="v1/models">the catalog</a></dd></div>
</dl>
<div class="samples">
${samples
  .filter(({ needs }) => paths.has(needs))
  .map(
    ({ title, note, code }) =>
      html`<div class="sample"><h3>${title}</h3><p>${prose(note)}</p>${block(code)}</div>`,
  )}
</div>`,
  );
