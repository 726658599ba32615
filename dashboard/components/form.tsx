import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../app/use-action.ts';
import { Button, type ButtonKind } from './button.tsx';
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

/** A form. A problem is shown at the field that its `param` names, and otherwise above the buttons. */
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
    finishChange(change);
  });
  const hasField =
    problem !== undefined && [...(form.current?.elements ?? [])].some((one) => isAbout(problem, nameOf(one)));
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem]);
  return (
    <FormContext.Provider value={{ problem, clear }}>
      <form
        ref={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          void run(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
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
