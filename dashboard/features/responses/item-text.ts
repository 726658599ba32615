import { lookUp } from '../../../src/base/lib/records.ts';

type Part = { type?: string; text?: string; refusal?: string; image_url?: string; filename?: string };
type Item = {
  type?: string;
  role?: string;
  content?: string | Part[];
  summary?: Part[];
  name?: string;
  arguments?: unknown;
  input?: unknown;
  output?: unknown;
};

type ItemText = { title: string; text: string; isCode: boolean };

const roles: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Model',
  system: 'System',
  developer: 'Developer',
  instructions: 'Instructions',
};

/** Returns the text of an item of a response. */
export function itemText(value: unknown): ItemText {
  const item = (typeof value === 'object' && value !== null ? value : {}) as Item;
  const { type = 'message', role = '', name = '' } = item;
  if (type === 'message')
    return { title: lookUp(roles, role) ?? role, text: textOf(item.content), isCode: false };
  if (type === 'user_input' || type === 'model_output')
    return {
      title: type === 'user_input' ? 'User' : 'Model',
      text: textOf(item.content),
      isCode: false,
    };
  if (type === 'reasoning' || type === 'thought')
    return { title: 'Thinking', text: textOf(item.summary) || textOf(item.content), isCode: false };
  if (type.endsWith('_call_output')) return { title: 'Tool result', text: asText(item.output), isCode: true };
  if (type.endsWith('_call'))
    return { title: `Calls ${name}`.trim(), text: asText(item.arguments ?? item.input), isCode: true };
  return { title: type, text: '', isCode: false };
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

const textOf = (content: string | readonly Part[] | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map(partText).filter(Boolean).join('\n');

function partText({ type, text, refusal, filename }: Part): string {
  if (type === 'input_image') return '[image]';
  if (type === 'input_file') return `[file${filename ? ` ${filename}` : ''}]`;
  return text ?? refusal ?? '';
}
