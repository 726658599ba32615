import { Field, type LabelledProps } from './field.tsx';

export type Option<Value extends string = string> = { value: Value; label: string; isDisabled?: boolean };

type SelectProps<Value extends string> = LabelledProps & {
  options: readonly Option<Value>[];
  /** Without `onChange` this is the value at first. */
  value?: Value;
  onChange?: (value: Value) => void;
};

/** One choice of a short list. */
export const Select = <Value extends string>({
  options,
  value,
  onChange,
  isRequired = true,
  ...labelled
}: SelectProps<Value>) => (
  <Field {...labelled} isRequired={isRequired}>
    {({ clear, ...control }) => (
      <select
        {...control}
        {...(onChange && { value })}
        onChange={({ currentTarget }) => {
          clear();
          // The options have no other values.
          onChange?.(currentTarget.value as Value);
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
