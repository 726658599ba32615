import { readFileSync } from 'node:fs';

/** The parts of a library's session: where the model is, what to ask, and the tool. */
export const url = process.env.TOLLGATE_URL;
export const key = process.env.TOLLGATE_KEY;
export const model = process.env.MODEL;
export const protocol = process.env.PROTOCOL;
export const first = 'call read_note with {"path":"note.txt"}';
export const second = 'say: second turn';
export const description = 'Reads a note.';
export const schema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
};
export const readNote = ({ path }) => readFileSync(path, 'utf8');
