import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useFieldProblem } from './form-problem.ts';

/** The properties that every labelled control has. */
export type LabelledProps = {
  label: string;
  /** The name in the form, and the `param` of the server's problems. */
  name?: string;
  hint?: ComponentChildren;
  /** A problem that the page found. */
  error?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** The label is for screen readers alone. */
  hidesLabel?: boolean;
};

type ControlAttributes = {
  id: string;
  name: string | undefined;
  required: boolean;
  disabled: boolean;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  /** Calls `clear` on each change. */
  clear: () => void;
};

type FieldProps = LabelledProps & { children: (attributes: ControlAttributes) => ComponentChildren };

/** A control with its label, its hint and its problem. */
export function Field({
  label,
  name,
  hint,
  error,
  isRequired = false,
  isDisabled = false,
  hidesLabel = false,
  children,
}: FieldProps) {
  const id = useId();
  const fieldProblem = useFieldProblem(name);
  const problem = error ?? fieldProblem.text;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={hidesLabel ? 'hidden' : undefined}>
        {label}
        {!isRequired && !hidesLabel && name !== undefined && <span class="optional"> (optional)</span>}
      </label>
      {children({
        id,
        name,
        required: isRequired,
        disabled: isDisabled,
        'aria-describedby': described || undefined,
        'aria-invalid': problem === undefined ? undefined : true,
        clear: fieldProblem.clear,
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
