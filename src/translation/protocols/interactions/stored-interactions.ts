import type { KeptForm } from '../../contract/kept-form.ts';

/** Stores and continues interactions. */
export const storedInteractions: KeptForm = {
  previous: 'previous_interaction_id',
  noun: 'interaction',
  article: 'an',
  continuation: 'continuation_token',
  idPrefix: 'interaction_',
  inputList: (text) =>
    text.startsWith('"') ? `[{"type":"user_input","content":[{"type":"text","text":${text}}]}]` : text,
};
