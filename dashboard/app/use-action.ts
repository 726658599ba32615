import { useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from './problem.ts';

export type Action<Parameters extends unknown[]> = {
  run: (...parameters: Parameters) => Promise<boolean>;
  isRunning: boolean;
  problem: Problem | undefined;
  clear: () => void;
};

/**
 * A change that a button makes: keeps whether it runs, and why it failed. `run` resolves to false after a
 * failure, and while an earlier run continues.
 */
export function useAction<Parameters extends unknown[]>(
  change: (...parameters: Parameters) => Promise<unknown>,
): Action<Parameters> {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isUnderWay = useRef(false);
  return {
    isRunning,
    problem,
    clear: () => setProblem(undefined),
    async run(...parameters) {
      if (isUnderWay.current) return false;
      isUnderWay.current = true;
      setRunning(true);
      setProblem(undefined);
      try {
        await change(...parameters);
        return true;
      } catch (error) {
        setProblem(asProblem(error));
        return false;
      } finally {
        isUnderWay.current = false;
        setRunning(false);
      }
    },
  };
}
