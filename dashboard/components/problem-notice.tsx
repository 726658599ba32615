import type { ComponentChildren } from 'preact';
import type { Problem } from '../app/problem.ts';
import { Notice } from './notice.tsx';

/** A problem of the server in the flow of a page, with the id of the request. */
export const ProblemNotice = ({ problem, actions }: { problem: Problem; actions?: ComponentChildren }) => (
  <Notice kind="error" isAlert actions={actions}>
    {problem.message}
    {problem.requestId && problem.status >= 500 && (
      <>
        {' '}
        Request id: <code>{problem.requestId}</code>
      </>
    )}
  </Notice>
);
