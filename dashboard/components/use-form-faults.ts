import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../app/problem.ts';
import { type FieldFaults, fieldFaults, formValues } from './field-faults.ts';
import { type FormState, isAbout } from './form-problem.ts';

type FormFaults = FormState & {
  /** True if the problem is shown at a field. */
  isAtField: boolean;
  /** Returns the values of the form, or undefined after it has shown the faults of the fields. */
  check: (form: HTMLFormElement) => Record<string, string> | undefined;
};

/** Keeps the faults of a form's fields, and focuses the first one after an attempt to submit. */
export function useFormFaults(
  form: RefObject<HTMLFormElement | null>,
  { problem, clear: clearProblem }: { problem: Problem | undefined; clear: () => void },
): FormFaults {
  const [faults, setFaults] = useState<FieldFaults>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (problem || attempt > 0) show(form.current?.querySelector<HTMLElement>('[aria-invalid]'));
  }, [problem !== undefined, attempt]);
  return {
    problem,
    faults,
    isAtField:
      problem !== undefined &&
      [...(form.current?.elements ?? [])].some((element) => isAbout(problem, nameOf(element))),
    clear(name) {
      if (name in faults) setFaults(({ [name]: _, ...others }) => others);
      if (problem && isAbout(problem, name)) clearProblem();
    },
    check(element) {
      const newFaults = fieldFaults(element);
      // A fault of a field without a name is shown by the browser.
      if (Object.keys(newFaults).length > 0 || !element.reportValidity()) {
        setFaults(newFaults);
        setAttempt(attempt + 1);
        return undefined;
      }
      return formValues(element);
    },
  };
}

/** Focuses a field, and opens the disclosure that hides it. */
function show(field: HTMLElement | null | undefined): void {
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

const nameOf = (element: Element): string => element.getAttribute('name') ?? '';
