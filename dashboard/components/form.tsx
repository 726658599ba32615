import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { forgetUnsavedInput } from '../app/unsaved-input.ts';
import { useAction } from '../app/use-action.ts';
import { Button, type ButtonKind } from './button.tsx';
import { type Change, finishChange } from './finish-change.ts';
import { FormContext } from './form-problem.ts';
import { ProblemNotice } from './problem-notice.tsx';
import { useFormFaults } from './use-form-faults.ts';

/** The values of a form by the names of its fields. A box that is not checked is missing. */
export type FormValues = Readonly<Record<string, string>>;

/** The fields of a form, and the kind of its button. */
export type FormContent = {
  submitKind?: ButtonKind;
  children?: ComponentChildren;
  isDisabled?: boolean;
};

export type FormProps = Change &
  FormContent & {
    /** Throws a `Problem` if the server refuses. */
    onSubmit: (values: FormValues) => Promise<unknown>;
    submitLabel: string;
    /** Further buttons, after the button that submits. */
    actions?: ComponentChildren;
  };

/**
 * Shows a form. A fault is shown at its field, and so is a problem whose `param` names a field. Other
 * problems are shown above the buttons.
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
  const { run, isRunning, problem, clear } = useAction(async (values: FormValues) => {
    await onSubmit(values);
    forgetUnsavedInput();
    finishChange(change);
  });
  const { check, isAtField, ...state } = useFormFaults(form, { problem, clear });
  const submit = (element: HTMLFormElement) => {
    const values = check(element);
    if (values) void run(values);
  };
  return (
    <FormContext.Provider value={state}>
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
        {problem && !isAtField && <ProblemNotice problem={problem} />}
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
