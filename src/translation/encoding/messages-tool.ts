import { INTEGER, objectSchema, TEXT } from './tool-schemas.ts';

type Definition = { description: string; schema: object };

const oneOf = (words: readonly string[]) => ({ type: 'string', enum: words });
const edits = ['view', 'create', 'str_replace', 'insert'];
const fileEdit = {
  path: TEXT,
  file_text: TEXT,
  old_str: TEXT,
  new_str: TEXT,
  insert_line: INTEGER,
  insert_text: TEXT,
};
const viewRange = { view_range: { type: 'array', items: INTEGER } };

/** The tools of the messages protocol, by the start of their type. Their calls are calls of any tool. */
const byStart: Readonly<Record<string, Definition>> = {
  bash_: {
    description: 'Runs a command in a shell session that persists, or restarts the session.',
    schema: objectSchema({ command: TEXT, restart: { type: 'boolean' } }, []),
  },
  text_editor_: {
    description: 'Views and edits files.',
    schema: objectSchema({ command: oneOf(edits), ...fileEdit, ...viewRange }, ['command', 'path']),
  },
  memory_: {
    description: 'Views and edits the files of a memory directory, which persists between conversations.',
    schema: objectSchema(
      {
        command: oneOf([...edits, 'delete', 'rename']),
        ...fileEdit,
        old_path: TEXT,
        new_path: TEXT,
        ...viewRange,
      },
      ['command'],
    ),
  },
};

/** Returns the description and the input of a tool that the client runs, by the tool's type. */
export const messagesTool = (type: string): Definition | undefined =>
  Object.entries(byStart).find(([start]) => type.startsWith(start))?.[1];
