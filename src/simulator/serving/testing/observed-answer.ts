/** The parts of an answer that a client of any wire sees. */
export type ObservedAnswer = {
  text: string;
  thinking: string;
  signature: string;
  calls: { name: string; input: unknown }[];
  stop: string;
  /** `input` includes cached input, and `output` includes thinking. */
  usage: { input: number; cached: number; output: number } | undefined;
};
