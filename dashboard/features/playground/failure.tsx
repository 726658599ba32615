import type { ListedRequest } from '../../../src/console/dashboard/request-schema.ts';
import type { Problem } from '../../app/problem.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { type Advice, adviceFor } from './advice.ts';
import { AdviceText } from './advice-text.tsx';

type Refusal = NonNullable<ListedRequest['refusal']>;

type FailureProps = {
  problem: Problem;
  /** The reason that the record of the request has, once it is known. */
  refusal: Refusal | null | undefined;
  onRetry: (() => void) | undefined;
};

/** Shows the failure of a request, and what ends it. */
export const Failure = ({ problem: { status, code, message, param }, refusal, onRetry }: FailureProps) => (
  <Notice
    kind="error"
    isAlert
    title={status > 0 ? `Refused with ${status}: ${code}` : `Failed: ${code}`}
    actions={onRetry && <Button onClick={onRetry}>Send again</Button>}
  >
    {refusal?.sentence ?? message} {param && <code>{param}</code>}{' '}
    <AdviceText advice={recordedAdvice(refusal) ?? adviceFor(code)} />
  </Notice>
);

/** Returns the advice of the server, which knows the figures of the request. */
function recordedAdvice(refusal: Refusal | null | undefined): Advice | undefined {
  if (!refusal?.advice) return undefined;
  const { text, page } = refusal.advice;
  return { text, ...(page !== null && { page, linkText: 'Open the page' }) };
}
