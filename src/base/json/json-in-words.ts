/**
 * Instruction for models of vendors that support JSON only with a schema. The output is then not guaranteed
 * to be JSON, but models follow the instruction.
 */
export const JSON_IN_WORDS = 'Answer with one JSON object and nothing else, and no code fence around it.';
