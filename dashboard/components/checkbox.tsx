import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useFieldProblem } from './form-problem.ts';

type CheckboxProps = {
  label: string;
  name?: string;
  /** The value of one of several boxes with the same name, by default `on`. */
  value?: string;
  hint?: ComponentChildren;
  isChecked?: boolean;
  onChange?: (isChecked: boolean) => void;
  isDisabled?: boolean;
};

/** A choice between yes and no. */
export function Checkbox({
  label,
  name,
  value,
  hint,
  isChecked = false,
  onChange,
  isDisabled = false,
}: CheckboxProps) {
  const id = useId();
  const { text, clear } = useFieldProblem(name);
  const checkedness = onChange ? { checked: isChecked } : { defaultChecked: isChecked };
  return (
    <div class="checkbox">
      <input
        {...checkedness}
        id={id}
        type="checkbox"
        name={name}
        value={value}
        disabled={isDisabled}
        aria-describedby={hint || text ? `${id}-hint` : undefined}
        aria-invalid={text ? true : undefined}
        onChange={({ currentTarget }) => {
          clear();
          onChange?.(currentTarget.checked);
        }}
      />
      <label for={id}>{label}</label>
      {(hint || text) && (
        <p class={text ? 'field-problem' : 'hint'} id={`${id}-hint`}>
          {text ?? hint}
        </p>
      )}
    </div>
  );
}
