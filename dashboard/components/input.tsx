import { Field, type LabelledProps } from './field.tsx';

export type InputProps = LabelledProps & {
  /** `decimal` takes decimals after a point or a comma, and is for amounts. `number` is for whole numbers. */
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'decimal'
    | 'search'
    | 'url'
    | 'date'
    | 'datetime-local'
    | 'month';
  /** Without `onInput` this is the value at first. */
  value?: string | number;
  onInput?: (value: string) => void;
  placeholder?: string;
  autocomplete?: string;
  maxLength?: number;
  minLength?: number;
  min?: number | string;
  max?: number | string;
  step?: number | string;
  inputMode?: 'numeric' | 'decimal' | 'text';
  pattern?: string;
  hasFocus?: boolean;
  /** Text before and after the value, such as a unit. */
  prefix?: string;
  suffix?: string;
};

/** Without a greatest value, browsers take years of five and six digits, which no time of the API has. */
const greatestValues: Readonly<Partial<Record<NonNullable<InputProps['type']>, string>>> = {
  date: '9999-12-31',
  'datetime-local': '9999-12-31T23:59',
  month: '9999-12',
};

/** A line of text, a number or a date. */
export function Input({
  label,
  name,
  hint,
  error,
  isRequired,
  isDisabled,
  hidesLabel,
  ...field
}: InputProps) {
  const { type = 'text', value, onInput, hasFocus, prefix, suffix, max = '', ...attributes } = field;
  const isDecimal = type === 'decimal';
  const shownValue = onInput ? { value: value ?? '' } : { defaultValue: value };
  return (
    <Field
      label={label}
      name={name}
      hint={hint}
      error={error}
      isRequired={isRequired}
      isDisabled={isDisabled}
      hidesLabel={hidesLabel}
    >
      {({ clear, ...control }) => (
        <span class="input">
          {prefix && <span class="affix">{prefix}</span>}
          <input
            {...control}
            {...attributes}
            {...shownValue}
            // The types of other inputs have other properties, which none of these uses.
            type={(isDecimal ? 'text' : type) as 'text'}
            {...(isDecimal && { inputMode: 'decimal' as const, autocomplete: 'off' })}
            max={max === '' ? greatestValues[type] : max}
            autofocus={hasFocus}
            onInput={({ currentTarget }) => {
              clear();
              onInput?.(currentTarget.value);
            }}
          />
          {suffix && <span class="affix">{suffix}</span>}
        </span>
      )}
    </Field>
  );
}
