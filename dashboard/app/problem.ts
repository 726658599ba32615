/** A refusal of the API, or a failure on the way to it. */
export class Problem extends Error {
  /** The HTTP status, or 0 if no answer arrived. */
  readonly status: number;
  readonly code: string;
  /** The field at fault, as the API names it. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** All members of the error. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(details: {
    status: number;
    code: string;
    message: string;
    param?: string | null;
    requestId?: string | null;
    fields?: Record<string, unknown>;
  }) {
    super(details.message);
    this.status = details.status;
    this.code = details.code;
    this.param = details.param ?? null;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
  }
}

/** Reads the error envelope of an answer. */
export async function problemOf(answer: Response): Promise<Problem> {
  const requestId = [...answer.headers].find(([name]) => name.endsWith('-request-id'))?.[1] ?? null;
  const text = await answer.text().catch(() => '');
  const { status } = answer;
  try {
    const { error } = JSON.parse(text);
    const { code, message, param } = error;
    if (typeof message !== 'string') throw new TypeError('the error has no message');
    return new Problem({ status, code, message, param, requestId, fields: error });
  } catch {
    const message = `The server answered with status ${status}.`;
    return new Problem({ status, code: 'unreadable_answer', message, requestId });
  }
}

/** Converts whatever was thrown to a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        status: 0,
        code: 'unexpected',
        message: `The page failed: ${error instanceof Error ? error.message : String(error)}`,
      });
