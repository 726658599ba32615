import { expect, test } from 'bun:test';
import { problemsOf } from './testing/config-of.ts';

const good = `server:
  port: 8080
  host: 127.0.0.1
  drain_s: 5
providers:
  - id: local
    wire: openai-chat
    base_url: http://127.0.0.1:9001/v1
    api_key: sk-hidden
    max_concurrent: 5
    timeouts: { connect_ms: 5000, idle_ms: 3000 }
catalog:
  default: false
  models:
    - id: a
      context_window: 10
      pricing_usd_per_mtok: { input: 1, output: 2 }
`;

test('the text of the slips is valid without them', () => expect(problemsOf(good)).toEqual([]));

const slips: [name: string, text: string, place: string][] = [
  ['a tab in one line', good.replace('  port', '\tport'), 'tollgate.yaml:2:1 server'],
  ['tabs in all lines', good.replace(/^ {2}/gm, '\t'), 'tollgate.yaml:2:1 server'],
  ['a line indented too little', good.replace('    wire', '   wire'), 'tollgate.yaml:7:1 providers[0].id'],
  ['a line indented too far', good.replace('    wire', '      wire'), 'tollgate.yaml:6:9 providers[0].id'],
  [
    'a line after a key indented too far',
    good.replace('    max', '      max'),
    'tollgate.yaml:9:14 providers[0].api_key',
  ],
  [
    'a row below its dash',
    good.replace(/ {6}(context|pricing)/g, '    $1'),
    'tollgate.yaml:16:1 catalog.models[0].id',
  ],
  ['an open brace', good.replace('server:', 'server: {'), 'tollgate.yaml:'],
  ['an open bracket', good.replace('models:', 'models: ['), 'tollgate.yaml:'],
  ['an open quote', good.replace('127.0.0.1\n', "'127.0.0.1\n"), 'tollgate.yaml:3:3 server.host'],
  [
    'a colon without a space',
    good.replace('max_concurrent: 5', 'max_concurrent:5'),
    'tollgate.yaml:10:5 providers[0]',
  ],
  [
    'a section that is not indented',
    good.replace(/^ {2}(port|host|drain)/gm, '$1'),
    'tollgate.yaml:2:1 port',
  ],
];

for (const [name, text, place] of slips) {
  test(`${name} causes one problem, at its place [ADM-19]`, () => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toStartWith(place);
    expect(problems[0]).not.toContain('sk-hidden');
  });
}

test('fields that are not indented are named with the section that they belong to', () => {
  expect(problemsOf('server:\nport: 1\nhost: a\nbrand: x\nplans:\n  free:\n  credits: 5\nwhat: 1\n')).toEqual(
    [
      'tollgate.yaml:2:1 port: belongs to server and must be indented further, and so do the fields after it: host.',
      'tollgate.yaml:7:3 plans.credits: belongs to free and must be indented further.',
      'tollgate.yaml:8:1 what: is not a known field.',
    ],
  );
});
