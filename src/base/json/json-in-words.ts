/** Said to models of vendors that know JSON with a schema only. Without one nothing is promised, and models do as they are told. */
export const JSON_IN_WORDS = 'Answer with one JSON object and nothing else, and no code fence around it.';
