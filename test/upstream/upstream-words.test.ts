import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { noAnswers, recordings } from '../support/recordings/recording.ts';
import { sampleModel } from '../support/sample-config.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';

/** The upstream's next answer to any request. */
let next: () => Response = () => new Response();
const upstream = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => next() });

const wires = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate',
  'google-interactions',
  'bedrock-converse',
];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({
      id: `groq-${wire}`,
      wire,
      base_url: `http://127.0.0.1:${upstream.port}/v1`,
      api_key: 'sk-proj-operators-own',
    })),
    catalog: {
      default: false,
      models: wires.map((wire) =>
        sampleModel(`golden-${wires.indexOf(wire)}`, {
          routes: [{ provider: `groq-${wire}`, model: 'gemini-claude-gpt' }],
        }),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});
const { key } = await server.createKey('enterprise');

/** Each of these words would reveal the provider, its address or its key. */
const denied = [
  'openai',
  'anthropic',
  'google',
  'gemini',
  'bedrock',
  'amazon',
  'aws',
  'azure',
  'microsoft',
  'groq',
  'together',
  'fireworks',
  'deepseek',
  'mistral',
  'x.ai',
  'xai',
  'grok',
  'openrouter',
  'cerebras',
  'qwen',
  'moonshot',
  'kimi',
  'alibaba',
  'dashscope',
  'cohere',
  'perplexity',
  'nvidia',
  'deepinfra',
  'ollama',
  'vllm',
  'llama',
  'claude',
  'gpt',
  'sk-',
  'aiza',
  'gsk_',
  'cloudflare',
  'cf-ray',
  'org-',
  'http://',
  'https://',
  '127.0.0.1',
  'localhost',
  `:${upstream.port}`,
  'upstream.internal',
  'traceback',
  ' at /',
  'x-upstream',
  'req_011cs',
];

/** The list of readable header names is the same on every answer. */
const ALWAYS = 'access-control-expose-headers';
/** Our own ids are random: any short word may turn up in one. */
const OUR_IDS = /\b[a-z]+[_-][0-9A-Za-z]{22,29}\b/g;

function expectNoneOf({ text, headers }: Answer, what: string): void {
  const shown = [...headers].filter(([name]) => name !== ALWAYS).flat();
  const everything = [text, ...shown].join('\n').replace(OUR_IDS, '').toLowerCase();
  const reported = denied.filter((word) => everything.includes(word));
  expect({ what, reported, result: reported.length > 0 ? everything : '' }).toEqual({
    what,
    reported: [],
    result: '',
  });
}

const talkative = {
  server: 'cloudflare',
  via: '1.1 google',
  'set-cookie': '__cf_bm=openai; path=/',
  'cf-ray': '9-AMS',
  'x-upstream': 'upstream.internal',
  'openai-organization': 'org-secret',
  'anthropic-organization-id': 'org-secret',
  'x-amzn-requestid': 'aws-request',
  'x-request-id': 'openai-request',
  'request-id': 'anthropic-request',
  'x-ratelimit-limit-requests': 'gpt-limit',
  'www-authenticate': 'Bearer realm="OpenAI API"',
  location: 'https://api.openai.com/elsewhere',
};

/** Errors as the vendors word them. */
const worded = [
  '{"error":{"message":"Incorrect API key provided: sk-proj-abcdefghijklmnop. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
  '{"error":{"message":"Rate limit reached for gpt-4.1 in organization org-abc on tokens per min (TPM): Limit 30000. Visit https://platform.openai.com/account/rate-limits","type":"tokens","param":null,"code":"rate_limit_exceeded"}}',
  '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key for anthropic"},"request_id":"req_011CS"}',
  '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205000 tokens > 200000 maximum for claude-sonnet"}}',
  '{"error":{"code":400,"message":"API key not valid: AIzaSyA. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}',
  '{"message":"User: arn:aws:iam::123456789012:user/x is not authorized to perform: bedrock:InvokeModel","__type":"com.amazon.coral.service#AccessDeniedException"}',
  '{"error":{"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI\'s content management policy. https://go.microsoft.com/fwlink","innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
  '{"object":"error","message":"This model\'s maximum context length is 4096 tokens (vLLM at http://127.0.0.1:8000)","type":"BadRequestError","code":400}',
  '{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted by mistral"}]}',
  '<html><head><title>502 Bad Gateway</title></head><body><center>cloudflare</center>upstream.internal</body></html>',
  'Traceback (most recent call last):\n  File "/srv/deepseek/serve.py", line 7, in handle at /srv/together',
];
const statuses = [302, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 503, 529];

const paths: Record<string, (model: string, { stream }: { stream: boolean }) => object> = {
  '/v1/chat/completions': (model, { stream }) => chatBody(model, { stream }),
  '/v1/messages': (model, { stream }) => chatBody(model, { stream, max_tokens: 10 }),
  '/v1/responses': (model, { stream }) => ({ model, input: 'hello', stream }),
};

async function expectSilence(
  what: string,
  answer: () => Response,
  { stream }: { stream: boolean },
): Promise<void> {
  next = answer;
  for (const [path, bodyOf] of Object.entries(paths)) {
    for (const number of wires.keys()) {
      const body = bodyOf(`golden-${number}`, { stream });
      const got = await server.call(path, { headers: bearer(key), body });
      expectNoneOf(got, `${what} over ${wires[number]} to ${path}`);
    }
  }
}

describe('no upstream text reaches a client', () => {
  for (const [turn, status] of statuses.entries())
    test(`with a status of ${status} [ERR-49]`, async () => {
      for (const [index, text] of shareOf([...worded.entries()], { turn, of: 3 })) {
        const type = text.startsWith('{') ? 'application/json' : 'text/html';
        const headers = { ...talkative, 'content-type': type };
        await expectSilence(`error ${index}`, () => new Response(text, { status, headers }), {
          stream: index % 2 === 0,
        });
      }
    });

  test('from an error in place of an answer or a stream [ERR-49]', async () => {
    for (const [index, text] of worded.entries()) {
      const json = { ...talkative, 'content-type': 'application/json' };
      await expectSilence(`200 with error ${index}`, () => new Response(text, { headers: json }), {
        stream: false,
      });
      const events = { ...talkative, 'content-type': 'text/event-stream' };
      const frame = `event: error\ndata: ${text.replaceAll('\n', ' ')}\n\n`;
      await expectSilence(`event of error ${index}`, () => new Response(frame, { headers: events }), {
        stream: true,
      });
    }
  });

  test('from any recorded vendor error, with a failing status [ERR-49]', async () => {
    const every = [...recordings, ...noAnswers];
    expect(every.length).toBeGreaterThan(50);
    for (const [index, { lines }] of every.entries()) {
      const text = lines.join('\n');
      const status = statuses[index % statuses.length]!;
      const headers = { ...talkative, 'content-type': 'application/json' };
      next = () => new Response(text, { status, headers });
      const model = `golden-${index % wires.length}`;
      for (const [path, bodyOf] of Object.entries(paths)) {
        const body = bodyOf(model, { stream: index % 2 === 0 });
        const got = await server.call(path, { headers: bearer(key), body });
        expect(got.status).toBeGreaterThanOrEqual(400);
        expectNoneOf(got, `recording ${index} as ${status} to ${path}`);
      }
    }
  });
});

test("the log contains the upstreams' error texts without keys", () => {
  // Random characters may be any letters.
  const log = server
    .log()
    .replace(/\b(req|acct|key|ent)_\w+/g, '')
    .toLowerCase();
  for (const word of ['sk-proj', 'aiza', 'operators-own'])
    expect({ word, isIncluded: log.includes(word) }).toEqual({ word, isIncluded: false });
  expect(log).toContain('extra inputs are not permitted by mistral');
});
