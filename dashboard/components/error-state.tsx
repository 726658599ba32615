import type { Problem } from '../app/problem.ts';
import { Button } from './button.tsx';

/** Replaces content that could not be loaded. */
export const ErrorState = ({ problem, onRetry }: { problem: Problem; onRetry?: () => unknown }) => (
  <div class="state error" role="alert">
    <h2>This could not be loaded</h2>
    <p>{problem.message}</p>
    {problem.requestId && (
      <p class="soft">
        Request id: <code>{problem.requestId}</code>
      </p>
    )}
    {onRetry && <Button onClick={() => void onRetry()}>Try again</Button>}
  </div>
);
