// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { expect, test } from 'bun:test';
import { asSentence } from '../../base/lib/as-sentence.ts';
import { problemsOf } from './testing/config-of.ts';
import { model, provider } from './testing/config-texts.ts';

const wrong: [name: string, text: string, expected: string[]][] = [
  [
    'unknown fields',
    'sever: {}\nserver:\n  prot: 1\n',
    [
      "tollgate.yaml:1:1 sever: is not a known field; did you mean 'server'?",
      "tollgate.yaml:3:3 server.prot: is not a known field; did you mean 'port'?",
    ],
  ],
  [
    'an invalid type',
    'server:\n  port: many\n',
    ['tollgate.yaml:2:3 server.port: must be an integer, not a string; the number is a TCP port'],
  ],
  [
    'an unknown choice',
    provider('wire: openai'),
    [
      'tollgate.yaml:4:5 providers[0].wire: must be openai-chat, openai-responses, openai-completions, ' +
        'openai-embeddings, openai-images, openai-audio, openai-moderations, cohere-rerank, ' +
        'anthropic-messages, google-generate, google-interactions, google-embeddings, bedrock-converse or null, ' +
        "not 'openai'",
    ],
  ],
  [
    'no wire',
    provider('headers: {}'),
    ['tollgate.yaml:2:5 providers[0].wire: is required (or `wires` for several protocols)'],
  ],
  [
    'both `wire` and `wires`',
    provider('wire: openai-chat\n    wires: [openai-chat]'),
    ['tollgate.yaml:5:5 providers[0].wires: cannot be combined with `wire`; use one of the two'],
  ],
  [
    'AWS credentials without a region',
    provider('wire: bedrock-converse\n    aws: { access_key_id: a, secret_access_key: b }'),
    ['tollgate.yaml:5:5 providers[0].aws.region: is required, since base_url contains no region'],
  ],
  [
    'AWS credentials without a secret',
    provider('wire: bedrock-converse\n    aws: { access_key_id: a, region: eu-west-1 }'),
    ['tollgate.yaml:5:5 providers[0].aws: needs both access_key_id and secret_access_key, or neither'],
  ],
  [
    'AWS credentials with invalid parts',
    provider(
      'wire: bedrock-converse\n    aws: { access_key_id: a, secret_access_key: "b c", region: Ireland }',
    ),
    [
      'tollgate.yaml:5:30 providers[0].aws.secret_access_key: must be one word of ASCII or Latin-1 characters, ' +
        'without spaces or line breaks',
      "tollgate.yaml:5:56 providers[0].aws.region: must be a region like 'eu-west-1'",
    ],
  ],
  [
    'AWS credentials together with an API key',
    provider(
      'wire: bedrock-converse\n    api_key: k\n    aws: { access_key_id: a, secret_access_key: b, region: eu-west-1 }',
    ),
    ['tollgate.yaml:6:5 providers[0].aws: cannot be combined with `api_key`; use one of the two'],
  ],
  [
    'Google credentials on another wire',
    provider('wire: openai-chat\n    google: {}'),
    ['tollgate.yaml:5:5 providers[0].google: is only for the wires google-generate and anthropic-messages'],
  ],
  [
    'forwarded headers that carry keys',
    provider('wire: openai-chat\n    forward_headers: [x-request-tag, Authorization, authorization]'),
    [
      'tollgate.yaml:5:38 providers[0].forward_headers[1]: must be the name of an HTTP header in lower case, and not ' +
        "a header for keys, content or the connection, not 'Authorization'",
      'tollgate.yaml:5:53 providers[0].forward_headers[2]: must be the name of an HTTP header in lower case, and not ' +
        "a header for keys, content or the connection, not 'authorization'",
    ],
  ],
  [
    'missing fields',
    'providers:\n  - id: a\n    wire: openai-chat\n',
    ['tollgate.yaml:2:5 providers[0].base_url: is required'],
  ],
  [
    'a negative price',
    model('plan: free, payg_pricing_usd_per_mtok: { input: -1, output: 1 }'),
    [
      'tollgate.yaml:3:124 catalog.models[0].payg_pricing_usd_per_mtok.input: must be at least 0, not -1; the unit is USD per million tokens',
    ],
  ],
  [
    'more credits than the maximum [CRD-48]',
    'plans:\n  pro: { credits: 10000000000 }\n  max: { price_usd: 2000000.01 }\n',
    [
      'tollgate.yaml:2:10 plans.pro.credits: must be at most 1000000000, not 10000000000; the unit is credits',
      'tollgate.yaml:3:10 plans.max.price_usd: must be at most 2000000, not 2000000.01; the unit is USD',
    ],
  ],
  [
    'a price above the maximum [CRD-48]',
    model('plan: free, native_batch_pricing_usd_per_mtok: { input: 1, output: 10000.01 }'),
    [
      'tollgate.yaml:3:142 catalog.models[0].native_batch_pricing_usd_per_mtok.output: must be at most 10000, not 10000.01; the unit is USD per million tokens',
    ],
  ],
  [
    'an infinite number',
    'limits: { queue_wait_s: .inf }\n',
    ['tollgate.yaml:1:11 limits.queue_wait_s: must be a number, not Infinity; the unit is seconds'],
  ],
  [
    'an embedding model without dimensions',
    model('kind: embedding'),
    [
      'tollgate.yaml:3:7 catalog.models[0].output_dimensions: is required for an embedding model; the unit is dimensions',
    ],
  ],
  [
    'proxies that are not networks',
    'server: { trusted_proxies: [10.0.0.0/8, "::1", 10.0.0.0/33, home] }\n',
    [
      'tollgate.yaml:1:48 server.trusted_proxies[2]: must be an IP address or a CIDR block like 10.0.0.0/8',
      'tollgate.yaml:1:61 server.trusted_proxies[3]: must be an IP address or a CIDR block like 10.0.0.0/8',
    ],
  ],
  [
    'a purchase range whose minimum exceeds its maximum',
    'purchases: { min_usd: 5, max_usd: 4 }\n',
    ['tollgate.yaml:1:14 purchases.min_usd: must not exceed max_usd, which is 4; the unit is USD'],
  ],
  [
    'a brand that is invalid in a header',
    'brand: My Brand\n',
    [
      'tollgate.yaml:1:1 brand: must be a letter, then at most 15 letters, digits and dashes, all in lower case, ' +
        "not 'My Brand'",
    ],
  ],
  [
    'an unknown plan',
    'plans: { gold: {} }\n',
    [
      'tollgate.yaml:1:10 plans.gold: is not a known field; known are free, launch, starter, pro, max, ' +
        'scale, payg and enterprise',
    ],
  ],
  ...['http://[::1/v1', 'http://a:99999/v1', 'http://a:0/v1', 'http://:80/v1', 'http://a%20b/v1'].map(
    (address): [string, string, string[]] => [
      `the address ${address}, which nothing can listen on,`,
      `providers:\n  - id: local\n    wire: openai-chat\n    base_url: "${address}"\n`,
      [
        'tollgate.yaml:4:5 providers[0].base_url: must have a valid host and, if it has a port, one from 1 to 65535',
      ],
    ],
  ),
  [
    'an invalid listening address',
    'server: { host: "not a host" }\n',
    ["tollgate.yaml:1:11 server.host: must be an IP address or a host name, not 'not a host'"],
  ],
  [
    'a second listener without a port',
    'server: { admin_listen: 127.0.0.1 }\n',
    [
      "tollgate.yaml:1:11 server.admin_listen: must be an address and a port like '127.0.0.1:9090', not '127.0.0.1'",
    ],
  ],
  [
    'a second listener with an impossible port',
    'server: { admin_listen: "[::1]:99999" }\n',
    ['tollgate.yaml:1:11 server.admin_listen: must have a port from 0 to 65535'],
  ],
  [
    'a public address without a valid port',
    'server: { public_url: "http://a:99999" }\n',
    [
      'tollgate.yaml:1:11 server.public_url: must have a valid host and, if it has a port, one from 1 to 65535',
    ],
  ],
  ...['sch\u{1f600}', 'a\\u0001b', 'a\\u0085b'].map((key): [string, string, string[]] => [
    `the key ${key}, which fits in no header,`,
    provider(`wire: openai-chat\n    api_key: "${key}"`),
    [
      'tollgate.yaml:5:5 providers[0].api_key: must be one word of ASCII or Latin-1 characters, ' +
        'without spaces or line breaks',
    ],
  ]),
  ...['\u00e9\u{1f600}', 'a\\tb', 'a\\u0085b'].map((value): [string, string, string[]] => [
    `the header value ${value}, which cannot be sent,`,
    provider(`wire: openai-chat\n    headers: { x-a: "${value}" }`),
    ['tollgate.yaml:5:16 providers[0].headers.x-a: must be one line of ASCII or Latin-1 characters'],
  ]),
  ...['mysql://u:p@h/d', 'postgres://u:p@[x/y', 'postgres://u:p@x]/y', 'postgres://u:p@h:port/d'].map(
    (url): [string, string, string[]] => [
      `the database URL ${url}`,
      `store: { database_url: "${url}" }\n`,
      [
        'tollgate.yaml:1:10 store.database_url: must be a URL of the form postgres://user:password@host:port/database',
      ],
    ],
  ),
  ['a list as the document', '- a\n', ['tollgate.yaml:1:1 must be an object, not an array']],
];

for (const [name, text, expected] of wrong) {
  test(`reports ${name} with file, line, field and what was expected [ADM-19]`, () => {
    expect(problemsOf(text)).toEqual(expected.map(asSentence));
  });
}
