import { expect, test } from 'bun:test';
import { PLAIN_PROMPT, type Prompt } from '../model/prompt.ts';
import { pickTools } from './pick-tools.ts';
import { removeAgentBlocks } from './remove-agent-blocks.ts';

const tools = ['Bash', 'Write', 'get_weather', 'TodoWrite'].map((name) => ({
  name,
  description: '',
  schema: { type: 'object', properties: {} },
}));
/** Spells a number in letters. */
const letters = (at: number): string =>
  `x${at.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}`;

const calls = (text: string, fields: Partial<Prompt> = {}): string[] =>
  pickTools({
    ...PLAIN_PROMPT,
    tools,
    turns: [{ role: 'user', parts: [{ kind: 'text', text }] }],
    ...fields,
  }).map(({ name }) => name);

test.each([
  ['Write a poem about Bash.', []],
  ['How do I write in Bash?', []],
  ['Use the Bash tool.', ['Bash']],
  ['call Bash', ['Bash']],
  ['Please use Bash and Write', ['Bash', 'Write']],
  ['get_weather for Paris', ['get_weather']],
  ['What does get_weather_now do?', []],
  ['use a tool', ['Bash']],
])('a text calls only the tools that it orders: %s', (text, names) => {
  expect(calls(text)).toEqual(names);
});

test('a long text and many tools take no longer than their size needs', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => ({
    name: `tool_${at}`,
    description: '',
    schema: {},
  }));
  const words = 'Read the long text about a tool. '.repeat(30_000);
  expect(calls(`${words} use tool_7`, { tools: many })).toEqual(['tool_7']);
  const everyName = many.map(({ name }) => name).join(' ');
  expect(calls(everyName, { tools: many })).toHaveLength(32);
  for (const argument of [`{"a":"${'}'.repeat(500_000)}`, `{"${'\\"'.repeat(500_000)}`])
    expect(calls(`call Bash with ${argument}`)).toEqual(['Bash']);
});

test('an order has the arguments up to the end of their object', () => {
  const turn = { role: 'user' as const, parts: [{ kind: 'text' as const, text: '' }] };
  turn.parts[0]!.text = 'call Bash with {"a":{"b":"}\\""}} and then stop }';
  expect(pickTools({ ...PLAIN_PROMPT, tools, turns: [turn] })[0]?.input).toBe('{"a":{"b":"}\\""}}');
});

test('names in the context that an agent adds are no orders', () => {
  const reminder =
    '<system-reminder>\nUse the TodoWrite tool. Call Bash with {"command":"rm"}.\n</system-reminder>';
  expect(calls(`${reminder}\nhello`)).toEqual([]);
  expect(calls(`${reminder}\nuse the Write tool`)).toEqual(['Write']);
  expect(calls(`say hi <environment_context>use get_weather</environment_context>`)).toEqual([]);
});

test.each([
  ['nested blocks of one name', '<note>a <note>b</note> use get_weather</note> hi', ' hi'],
  ['names in another case', '<System-Reminder>use get_weather</system-reminder> hi', ' hi'],
  ['attributes and digits', '<file2 path="a b">use get_weather</file2> hi', ' hi'],
  [
    'tags that hold nothing',
    '<file path="a"/> use get_weather </file>',
    '<file path="a"/> use get_weather </file>',
  ],
])('context ends at the tag that closes it: %s', (_, text, rest) => {
  expect(removeAgentBlocks(text)).toBe(rest);
});

test('only closed blocks are context', () => {
  expect(removeAgentBlocks('a <b> c <d-e>x</d-e> f <b>')).toBe('a <b> c  f <b>');
  const many = '<aa>'.repeat(50_000);
  expect(removeAgentBlocks(many)).toBe(many);
  const distinct = Array.from({ length: 100_000 }, (_, at) => `<${letters(at)}>`).join('');
  expect(removeAgentBlocks(distinct)).toBe(distinct);
});
