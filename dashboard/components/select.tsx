import { Field, type LabelledProps } from './field.tsx';

export type Option = { value: string; label: string; isDisabled?: boolean };

export type SelectProps = LabelledProps & {
  options: readonly Option[];
  /** Without `onChange` this is the value at first. */
  value?: string;
  onChange?: (value: string) => void;
};

/** One choice of a short list. */
export function Select({
  label,
  name,
  hint,
  error,
  isRequired = true,
  isDisabled,
  hidesLabel,
  options,
  value,
  onChange,
}: SelectProps) {
  return (
    <Field {...{ label, name, hint, error, isRequired, isDisabled, hidesLabel }}>
      {({ clear, ...control }) => (
        <select
          {...control}
          {...(onChange && { value })}
          onChange={({ currentTarget }) => {
            clear();
            onChange?.(currentTarget.value);
          }}
        >
          {options.map((option) => (
            <option
              key={option.value}
              value={option.value}
              disabled={option.isDisabled}
              selected={option.value === value}
            >
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
