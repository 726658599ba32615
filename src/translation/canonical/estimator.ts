/** Counts about as many tokens as the upstream would, where it does not count itself. */
export type Estimator = {
  /** Of the request. */
  input(): number;
  /** Of a text that the model wrote. */
  text(text: string): number;
  /** The most tokens that the whole answer can be, where it was asked for with a ceiling. */
  mostText?: number;
  /** What `text` goes by, for a thread that has to do the same. */
  family?: { vocabulary: string; textFactor: number };
};
