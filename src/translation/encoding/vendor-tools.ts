import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import { INTEGER, objectSchema, TEXT, TEXTS } from './tool-schemas.ts';

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
  /** Returns the members of the vendor's call from the arguments of a call of the function. */
  members(input: JsonObject): JsonObject;
  result(item: JsonObject): string;
  failed?(item: JsonObject): boolean;
  /** The start of the item's id. */
  prefix: string;
};

/** The vendor's own tools on the responses protocol, by the type of the tool. */
const byType: Readonly<Record<string, VendorTool>> = {
  shell: {
    call: 'shell_call',
    output: 'shell_call_output',
    name: 'shell',
    prefix: 'sh',
    description: "Runs shell commands on the user's machine and returns their output.",
    schema: objectSchema({ commands: TEXTS, timeout_ms: INTEGER, max_output_length: INTEGER }, ['commands']),
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
    schema: objectSchema(
      { command: TEXTS, env: { type: 'object' }, timeout_ms: INTEGER, user: TEXT, working_directory: TEXT },
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
    schema: objectSchema(
      {
        operation: objectSchema(
          {
            type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
            path: TEXT,
            diff: TEXT,
          },
          ['type', 'path'],
        ),
      },
      ['operation'],
    ),
    input: ({ operation }) => ({ operation: objectOf(operation) }),
    members: ({ operation, ...rest }) => ({ operation: isObject(operation) ? operation : rest }),
    result: ({ output, status }) => textOf(output) ?? textOf(status) ?? 'completed',
    failed: ({ status }) => status === 'failed',
  },
  tool_search: {
    call: 'tool_search_call',
    output: 'tool_search_output',
    name: 'tool_search',
    prefix: 'tsc',
    description: 'Finds further tools. The tools that it finds can be called afterwards.',
    schema: objectSchema({ query: TEXT }, ['query']),
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
    schema: objectSchema({ code: TEXT }, ['code']),
    input: ({ code }) => ({ code }),
    members: ({ code }) => ({ code }),
    result: ({ result }) => textOf(result) ?? '',
  },
};

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : listOf(value).map((item) => textOf(item) ?? JSON.stringify(item));

const nameOf = (tool: unknown): string => {
  const { name, type } = objectOf(tool);
  return textOf(name) ?? textOf(type) ?? 'a tool';
};

/** Returns the vendor's tool by the type of a call or a result. */
export const vendorToolOf = (type: unknown): VendorTool | undefined =>
  typeof type === 'string' ? byItem.get(type) : undefined;

/** Returns the vendor's tool by its own type. */
export const vendorTool = (type: string): VendorTool | undefined => lookUp(byType, type);

const byItem = new Map(
  Object.values(byType).flatMap((tool) => [[tool.call, tool] as const, [tool.output, tool] as const]),
);
