/** The least that the vendor takes for a ceiling. */
export const LEAST_OUTPUT = 16;
