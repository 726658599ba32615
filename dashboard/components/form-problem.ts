import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../app/problem.ts';
import type { FieldFaults } from './field-faults.ts';

/** The state of a form that its fields read. */
export type FormState = {
  problem: Problem | undefined;
  faults: FieldFaults;
  /** Removes the problem of a field, once it is changed. */
  clear: (name: string) => void;
};

/** Gives the fields of a form its problem and its faults. */
export const FormContext = createContext<FormState>({ problem: undefined, faults: {}, clear: () => {} });

/** Reports whether a problem names a field: `cap_usd` also stands for `limits.cap_usd`. */
export const isAbout = (problem: Problem, name: string): boolean =>
  problem.param === name || (problem.param?.endsWith(`.${name}`) ?? false);

/** Returns the problem that the browser or the server found in a field. */
export function useFieldProblem(name: string | undefined): { text: string | undefined; clear: () => void } {
  const { problem, faults, clear } = useContext(FormContext);
  if (name === undefined) return { text: undefined, clear: () => {} };
  const refused = problem !== undefined && isAbout(problem, name) ? problem.message : undefined;
  return { text: faults[name] ?? refused, clear: () => clear(name) };
}
