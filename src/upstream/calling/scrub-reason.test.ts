import { expect, test } from 'bun:test';
import { hosts } from '../../settings/hosts/hosts.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { scrubReason } from './scrub-reason.ts';

const target = {
  provider: {
    id: 'main-openai',
    baseUrl: 'http://gpu-7.corp:8000/v1',
    apiKey: 'plainly-not-shaped-as-a-key',
  },
  upstreamModel: 'accounts/acme-1/models/gpt-4o',
} as Target;

const providerAt = (id: string, baseUrl: string, mode = 'live') => ({ id, baseUrl, mode }) as Provider;
const providers = new Map(
  [
    target.provider,
    providerAt('together', 'https://api.together.xyz/v1'),
    providerAt('acme-eu', 'https://inference.weyland-yutani.tech/v1'),
    providerAt('hyperbolic_main', 'http://vllm7:8000'),
    providerAt('perihelion', 'https://perihelion.example', 'not-set-up'),
  ].map((provider) => [provider.id, { ...provider, mode: provider.mode ?? 'live' }]),
);
const body = {
  messages: [{ role: 'user', content: 'see https://docs.client.example/a?b=1 and files.client.museum' }],
  my_tools: {},
};
const scrub = (message: string) => scrubReason(message, { target, model: '@svc/gpt-4o', providers, body });

const said: [string, string, string | undefined][] = [
  ['passes a reason on', 'max_tokens: 99999 > 8192', 'max_tokens: 99999 > 8192'],
  [
    'gives the model its public id',
    'Model gpt-4o-2024-08-06 takes no images; accounts/acme-1/models/gpt-4o neither.',
    'Model @svc/gpt-4o takes no images; @svc/gpt-4o neither.',
  ],
  [
    'removes addresses and ports',
    'Image at gpu-7.corp:8000 not read, see https://platform.openai.com/docs?x=1 or 10.0.0.1:8443.',
    'Image at [address] not read, see [address] or [address].',
  ],
  [
    'removes accounts and ids',
    'Not allowed in organization org-Ab12 of project proj_x9 for arn:aws:iam::123456789012:user/x (req_011CSabc12).',
    'Not allowed in organization [id] of project [id] for [account].',
  ],
  ['removes keys', 'Bad key sk-proj-abcdefghijklmnop1234 in field user', 'Bad key [redacted] in field user'],
  [
    'removes names of vendors and other models',
    'Azure OpenAI refuses this schema; main-openai says claude-3-5-sonnet takes it.',
    'the provider refuses this schema; the provider says the model takes it.',
  ],
  [
    'keeps paths of fields',
    "Invalid 'messages[0].content[1].image_url': bad",
    "Invalid 'messages[0].content[1].image_url': bad",
  ],
  [
    "removes the operator's key, even when it is cut",
    'max_tokens is bad for plainly-not-shaped-as-a-key, plainly-***-key and AKIAIOSFODNN7EXAMPLE',
    'max_tokens is bad for [redacted], [redacted] and [redacted]',
  ],
  [
    'removes addresses whole',
    'Bad: http://gpu-7.corp:8000/secret/v1, [fe80::1]:80, me:pw@host.example.xyz/path?api_key=z, n1.internal.acme.example.',
    'Bad: [address], [address], [address], [address].',
  ],
  [
    'removes names that are part of a word',
    'GroqException: litellm.BadRequestError: o4-mini, nemotron-4, minimax-m2 and dbrx take no field n (Baseten, Novita AI)',
    'the provider: the provider.BadRequestError: the model and the model take no field n (the provider AI)',
  ],
  [
    'removes hosts under any domain, with ports and paths',
    'Field n failed at api.together.xyz, inference.weyland-yutani.tech/v1/chat, x9.museum:8443, münchen.bayern and gpu-9:8000.',
    'Field n failed at [address], [address], [address], [address] and [address].',
  ],
  [
    'removes the names of all configured providers, and their parts',
    'TogetherException: Together AI, acme-eu, WEYLAND-YUTANI and hyperbolic refuse n (main.hyperbolic, vllm7, together_ai)',
    'the provider: the provider AI, the provider and the provider refuse n ([address], [address], the provider)',
  ],
  [
    'keeps words that only begin like a name, and names of providers that are not set up',
    'The field n brings togetherness at perihelion',
    'The field n brings togetherness at perihelion',
  ],
  [
    "keeps the client's own addresses",
    'Cannot read https://docs.client.example/a?b=1 or files.client.museum, only files.other.museum.',
    'Cannot read https://docs.client.example/a?b=1 or files.client.museum, only [address].',
  ],
  [
    'keeps paths of fields in any protocol',
    'messages.0.content.text and generationConfig.topK are bad, like my_tools.name and body.tools.custom.input_schema.Then stop.',
    'messages.0.content.text and generationConfig.topK are bad, like my_tools.name and body.tools.custom.input_schema.Then stop.',
  ],
  [
    'keeps versions and sentences',
    'Use version 3.5 or e.g. 4.1.The field n is bad.',
    'Use version 3.5 or e.g. 4.1.The field n is bad.',
  ],
  ['removes ids', 'Bad field n, see 8f7a6b5c4d3e2f1a8f7a6b5c4d3e2f1a', 'Bad field n, see [id]'],
  [
    'removes characters that a terminal acts on',
    '\u202emax_tokens\u2028 is \u0007\u001b[31mbad',
    'max_tokens is [31mbad',
  ],
  ['keeps times', 'The field date takes 12:30:45, not 10:00', 'The field date takes 12:30:45, not 10:00'],
  ['drops pages', '<html><center>bad request</center></html>', undefined],
  ['drops stacks', 'Traceback (most recent call last):\n  File "/srv/x.py"', undefined],
  ['drops a reason of which nothing is left', 'https://api.openai.com/v1', undefined],
];

for (const [title, message, left] of said)
  test(`${title} [ERR-54]`, () => {
    expect(scrub(message)).toBe(left as string);
  });

test.each(
  hosts.map(({ id, baseUrl }) => [
    id,
    baseUrl.replace(/^\{\w+\}/, 'https://mine.azure.example').replaceAll(/\{\w+:?-?|\}/g, ''),
  ]),
)('hides the host %s, if it is configured [ERR-54]', (id, baseUrl) => {
  const { hostname } = new URL(baseUrl);
  const configured = providerAt(id, baseUrl);
  const terms = { target: { provider: configured, upstreamModel: 'm' }, model: '@svc/m', body };
  const message = `The field n is bad at ${hostname}, says ${id} (${id.toUpperCase()}Error: ${baseUrl}/models)`;
  const left = scrubReason(message, { ...terms, providers: new Map([[id, configured]]) })!.toLowerCase();
  expect(left).toStartWith('the field n is bad at [address], says the provider (');
  for (const name of [id, hostname, ...hostname.split('.').slice(-2, -1)]) expect(left).not.toContain(name);
});

test('a message with thousands of empty lines is scrubbed in a moment', () => {
  const start = performance.now();
  scrub(`max_tokens is too large${'\n'.repeat(100_000)}.`);
  expect(performance.now() - start).toBeLessThan(1_000);
});
