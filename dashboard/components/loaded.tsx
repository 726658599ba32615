import type { ComponentChildren } from 'preact';
import type { Query } from '../app/use-query.ts';
import { Button } from './button.tsx';
import { ErrorState } from './error-state.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { Skeleton } from './skeleton.tsx';

export type LoadedProps<Answer> = {
  query: Query<Answer>;
  children: (answer: Answer) => ComponentChildren;
  /** The content until there is an answer, by default a skeleton of six lines. */
  skeleton?: ComponentChildren;
};

/**
 * The content of an answer: a skeleton before it, its problem, and the old answer with a notice if a refresh
 * fails.
 */
export function Loaded<Answer>({ query, children, skeleton }: LoadedProps<Answer>) {
  const { data, problem, refresh } = query;
  if (data === undefined) {
    if (problem) return <ErrorState problem={problem} onRetry={refresh} />;
    return skeleton ?? <Skeleton lines={6} />;
  }
  const retry = <Button onClick={() => void refresh()}>Try again</Button>;
  return (
    <>
      {problem && <ProblemNotice problem={problem} actions={retry} />}
      {children(data)}
    </>
  );
}
