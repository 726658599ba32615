import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { forgetTyped } from '../app/typed.ts';
import { useAction } from '../app/use-action.ts';
import { Button, type ButtonKind } from './button.tsx';
import { type FieldFaults, fieldFaults } from './field-faults.ts';
import { type Change, finishChange } from './finish-change.ts';
import { FormContext, isAbout } from './form-problem.ts';
import { ProblemNotice } from './problem-notice.tsx';

/** The values of a form by the names of its fields. A box that is not checked is missing. */
export type FormValues = Readonly<Record<string, string>>;

export type FormProps = Change & {
  /** Throws a `Problem` if the server refuses. */
  onSubmit: (values: FormValues) => Promise<unknown>;
  submitLabel: string;
  submitKind?: ButtonKind;
  /** Buttons beside the one that submits. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
  isDisabled?: boolean;
};

/**
 * A form. A fault is shown at its field, and so is a problem whose `param` names a field.
 * Others are above the buttons.
 */
export function Form({
  onSubmit,
  submitLabel,
  submitKind = 'primary',
  actions,
  children,
  isDisabled,
  ...change
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<FieldFaults>({});
  const { run, isRunning, problem, clear } = useAction(async (values: FormValues) => {
    await onSubmit(values);
    forgetTyped();
    finishChange(change);
  });
  const hasField =
    problem !== undefined && [...(form.current?.elements ?? [])].some((one) => isAbout(problem, nameOf(one)));
  const clearField = (name: string) => {
    if (name in faults) setFaults(({ [name]: _, ...others }) => others);
    if (problem && isAbout(problem, name)) clear();
  };
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (problem || attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem !== undefined, attempt]);
  const submit = (element: HTMLFormElement) => {
    const found = fieldFaults(element);
    // A fault of a field without a name is shown by the browser.
    if (Object.keys(found).length > 0 || !element.reportValidity()) {
      setFaults(found);
      setAttempt(attempt + 1);
      return;
    }
    const data = new FormData(element);
    void run(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
  };
  return (
    <FormContext.Provider value={{ problem, faults, clear: clearField }}>
      <form
        ref={form}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        {children}
        {problem && !hasField && <ProblemNotice problem={problem} />}
        <div class="form-actions">
          <Button type="submit" kind={submitKind} isRunning={isRunning} isDisabled={isDisabled}>
            {submitLabel}
          </Button>
          {actions}
        </div>
      </form>
    </FormContext.Provider>
  );
}

const nameOf = (element: Element): string => element.getAttribute('name') ?? '';
