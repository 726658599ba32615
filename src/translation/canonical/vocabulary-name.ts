/** The published vocabularies, by which the tokens of texts are counted and estimated. */
export type VocabularyName = 'p50k' | 'cl100k' | 'o200k';
