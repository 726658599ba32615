/** Stores the answers of a dialect, and continues them in its requests. */
export type KeptForm = {
  /** The member with the id of the answer that a request continues. */
  previous: string;
  /** The vendor's word for an answer. */
  noun: string;
  article: 'a' | 'an';
  /** The prefix of the answers' ids. A dialect continues only its own answers. */
  idPrefix: string;
  /** Returns the text of a request's input as a list of items, each with its original text. */
  inputList(text: string): string;
  /** The member with the token by which a vendor continues an answer. */
  continuation?: string;
  /** True if later requests can refer to single items. Reasoning then belongs to the model that wrote it. */
  hasItems?: true;
};
