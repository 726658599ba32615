import type { KeptForm } from '../../contract/kept-form.ts';

/** Stores and continues responses. */
export const storedResponses: KeptForm = {
  previous: 'previous_response_id',
  noun: 'response',
  article: 'a',
  idPrefix: 'resp_',
  inputList: (text) =>
    text.startsWith('"')
      ? `[{"type":"message","role":"user","content":[{"type":"input_text","text":${text}}]}]`
      : text,
  hasItems: true,
};
