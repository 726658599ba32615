/** `written` is set if the model writes more answers than it returns. */
type AnswerFigures = {
  prompts?: number | undefined;
  answers?: number | undefined;
  written?: number | undefined;
};

/**
 * Returns the number of answers that a model writes for a request. The rate limits count each of them as a
 * request.
 */
export const answerCount = ({ prompts, answers, written }: AnswerFigures): number =>
  written ?? answers ?? prompts ?? 1;
