import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../app/problem.ts';

/** What the fields of a form need to know of it. */
export type FormState = {
  problem: Problem | undefined;
  /** Removes the problem, once its field is changed. */
  clear: () => void;
};

export const FormContext = createContext<FormState>({ problem: undefined, clear: () => {} });

/** Reports whether a problem names a field: `cap_usd` also stands for `limits.cap_usd`. */
export const isAbout = (problem: Problem, name: string): boolean =>
  problem.param === name || (problem.param?.endsWith(`.${name}`) ?? false);

/** The problem that the server found in a field. */
export function useFieldProblem(name: string | undefined): { text: string | undefined; clear: () => void } {
  const { problem, clear } = useContext(FormContext);
  const isOurs = name !== undefined && problem !== undefined && isAbout(problem, name);
  return { text: isOurs ? problem.message : undefined, clear: isOurs ? clear : () => {} };
}
