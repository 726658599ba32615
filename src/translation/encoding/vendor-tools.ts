import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

/**
 * A tool that a vendor defines and the client runs. On other wires a function of the same kind stands for it.
 */
export type VendorTool = {
  /** The type of the item with a call. */
  call: string;
  /** The type of the item with the result. */
  output: string;
  name: string;
  description: string;
  schema: object;
  /** Returns the arguments of the function that stands for a call. */
  input(item: JsonObject): unknown;
  /** Does the reverse: returns the members of the vendor's call. */
  members(input: JsonObject): JsonObject;
  result(item: JsonObject): string;
  failed?(item: JsonObject): boolean;
  /** The start of the item's id. */
  prefix: string;
};

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
});

const commands = { type: 'array', items: text };

/** The vendor's own tools on the responses protocol, by the type of the tool. */
const ofResponses: Readonly<Record<string, VendorTool>> = {
  shell: {
    call: 'shell_call',
    output: 'shell_call_output',
    name: 'shell',
    prefix: 'sh',
    description: "Runs shell commands on the user's machine and returns their output.",
    schema: object({ commands, timeout_ms: number, max_output_length: number }, ['commands']),
    input: ({ action }) => objectOf(action),
    members: ({ commands: asked, timeout_ms = null, max_output_length = null }) => ({
      action: { commands: textsOf(asked), timeout_ms, max_output_length },
      environment: { type: 'local' },
    }),
    result: ({ output }) => (typeof output === 'string' ? output : JSON.stringify(output ?? [])),
  },
  local_shell: {
    call: 'local_shell_call',
    output: 'local_shell_call_output',
    name: 'local_shell',
    prefix: 'lsh',
    description:
      "Runs one command on the user's machine. The command is a list of a program and its arguments.",
    schema: object(
      { command: commands, env: { type: 'object' }, timeout_ms: number, user: text, working_directory: text },
      ['command'],
    ),
    input: ({ action }) => {
      const { type: _, ...asked } = objectOf(action);
      return asked;
    },
    members: ({ command, env, ...action }) => ({
      action: { type: 'exec', ...action, command: textsOf(command), env: objectOf(env) },
    }),
    result: ({ output }) => textOf(output) ?? JSON.stringify(output ?? ''),
  },
  apply_patch: {
    call: 'apply_patch_call',
    output: 'apply_patch_call_output',
    name: 'apply_patch',
    prefix: 'apc',
    description:
      'Creates, updates or deletes one file. `diff` is a V4A diff of the file; a deletion has none.',
    schema: object(
      {
        operation: object(
          {
            type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
            path: text,
            diff: text,
          },
          ['type', 'path'],
        ),
      },
      ['operation'],
    ),
    input: ({ operation }) => ({ operation: objectOf(operation) }),
    members: ({ operation, ...rest }) => ({ operation: isObject(operation) ? operation : rest }),
    result: ({ output, status }) => textOf(output) ?? String(status ?? 'completed'),
    failed: ({ status }) => status === 'failed',
  },
  tool_search: {
    call: 'tool_search_call',
    output: 'tool_search_output',
    name: 'tool_search',
    prefix: 'tsc',
    description: 'Finds further tools. The tools that it finds can be called afterwards.',
    schema: object({ query: text }, ['query']),
    input: ({ arguments: asked }) => (isObject(asked) ? asked : { query: asked }),
    members: (input) => ({ arguments: input, execution: 'client' }),
    result: ({ tools }) => `Found: ${listOf(tools).map(nameOf).join(', ') || 'no tool'}.`,
  },
  program: {
    call: 'program',
    output: 'program_output',
    name: 'program',
    prefix: 'prog',
    description: 'Runs a program that calls tools.',
    schema: object({ code: text }, ['code']),
    input: ({ code }) => ({ code }),
    members: ({ code }) => ({ code }),
    result: ({ result }) => textOf(result) ?? '',
  },
};

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : listOf(value).map((item) => textOf(item) ?? JSON.stringify(item));

const nameOf = (tool: unknown): string => {
  const { name, type } = objectOf(tool);
  return textOf(name) ?? String(type);
};

const edits = ['view', 'create', 'str_replace', 'insert'];

/** The tools of the messages protocol, by the start of their type. Their calls are calls of any tool. */
const ofMessages: readonly (readonly [start: string, definition: { description: string; schema: object }])[] =
  [
    [
      'bash_',
      {
        description: 'Runs a command in a shell session that persists, or restarts the session.',
        schema: object({ command: text, restart: { type: 'boolean' } }, []),
      },
    ],
    [
      'text_editor_',
      {
        description: 'Views and edits files.',
        schema: object(
          {
            command: { type: 'string', enum: edits },
            path: text,
            file_text: text,
            old_str: text,
            new_str: text,
            insert_line: number,
            insert_text: text,
            view_range: { type: 'array', items: number },
          },
          ['command', 'path'],
        ),
      },
    ],
    [
      'memory_',
      {
        description: 'Views and edits the files of a memory directory, which persists between conversations.',
        schema: object(
          {
            command: { type: 'string', enum: [...edits, 'delete', 'rename'] },
            path: text,
            file_text: text,
            old_str: text,
            new_str: text,
            insert_line: number,
            insert_text: text,
            old_path: text,
            new_path: text,
            view_range: { type: 'array', items: number },
          },
          ['command'],
        ),
      },
    ],
  ];

/** The function that stands for a vendor's own tool. It is undefined if none can. */
export type StandIn = { name: string; description: string; schema: object; standsFor?: string };

export function standInFor(issuer: ProtocolId, tool: JsonObject): StandIn | undefined {
  const type = textOf(tool.type) ?? '';
  if (issuer === 'messages') {
    const found = ofMessages.find(([start]) => type.startsWith(start))?.[1];
    const name = textOf(tool.name);
    return found && name !== undefined ? { name, ...found } : undefined;
  }
  const vendors = issuer === 'responses' && isRunByClient(tool) ? lookUp(ofResponses, type) : undefined;
  if (vendors === undefined) return undefined;
  const { name, description, schema } = vendors;
  const shown = { name, description: textOf(tool.description) ?? description, standsFor: type };
  return { ...shown, schema: isObject(tool.parameters) ? tool.parameters : schema };
}

/** The vendor runs a shell in a container, a search without `execution: client`, and every program. */
function isRunByClient({ type, environment, execution }: JsonObject): boolean {
  if (type === 'program') return false;
  if (type === 'tool_search') return execution === 'client';
  return !isObject(environment) || environment.type === 'local';
}

/** Returns the vendor's tool by the type of a call or a result. */
export const vendorToolOf = (type: unknown): VendorTool | undefined =>
  typeof type === 'string' ? byItem.get(type) : undefined;

export const vendorTool = (type: string): VendorTool | undefined => lookUp(ofResponses, type);

const byItem = new Map(
  Object.values(ofResponses).flatMap((tool) => [[tool.call, tool] as const, [tool.output, tool] as const]),
);
