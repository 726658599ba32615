import { parseDecimal } from './parse-decimal.ts';

/** The faults that the browser finds in the fields of a form, by their names. */
export type FieldFaults = Readonly<Record<string, string>>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const mismatchWords: Readonly<Record<string, string>> = {
  email: 'Enter an email address like ada@example.com.',
  url: 'Enter an address like https://example.com.',
};

/** Finds the invalid fields of a form. A field without a name has no place for a message of its own. */
export function fieldFaults(form: HTMLFormElement): FieldFaults {
  const faults: Record<string, string> = {};
  for (const element of form.elements) {
    const { name, validity, willValidate } = element as Control;
    if (!willValidate || name === '' || name in faults) continue;
    const words = validity.valid ? decimalWords(element as Control) : wordsFor(element as Control);
    if (words !== undefined) faults[name] = words;
  }
  return faults;
}

/** Reports whether a control is an `Input` of the type `decimal`. */
const isDecimal = (control: Control): control is HTMLInputElement =>
  control.type === 'text' && control.inputMode === 'decimal';

/** Returns the values of a form by the names of its fields. Decimals have a point. */
export function formValues(form: HTMLFormElement): Record<string, string> {
  const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  for (const control of form.elements as Iterable<Control>)
    if (isDecimal(control) && control.name in values)
      values[control.name] = String(parseDecimal(control.value) ?? '');
  return values;
}

/**
 * Returns the fault of a decimal. Fields of the type `number` are no way to read one, since browsers drop a
 * comma from them: 12,50 becomes 1250.
 */
function decimalWords(control: Control): string | undefined {
  if (!isDecimal(control)) return undefined;
  if (control.value.trim() === '') return control.required ? missing(control) : undefined;
  const number = parseDecimal(control.value);
  if (number === undefined) return 'Enter a number like 1234.50, without separators of thousands.';
  const { min, max, step } = control;
  if (min !== '' && number < Number(min)) return leastValue(min);
  if (max !== '' && number > Number(max)) return greatestValue(max);
  return Number(step) > 0 && !isMultiple(number, Number(step)) ? FEWER_DECIMALS : undefined;
}

/** Reports whether a number is a multiple of a step, apart from the error of binary fractions. */
const isMultiple = (number: number, step: number): boolean =>
  Math.abs(number / step - Math.round(number / step)) < 1e-6;

const FEWER_DECIMALS = 'Enter a number with fewer decimals.';
const leastValue = (min: string): string => `The least value is ${min}.`;
const greatestValue = (max: string): string => `The greatest value is ${max}.`;

/** Says what to do. The messages of the browser are in its own language, and go away by themselves. */
function wordsFor(control: Control): string {
  const { validity, type } = control;
  const { min = '', max = '', minLength = 0 } = control as Partial<HTMLInputElement>;
  if (validity.valueMissing) return missing(control);
  if (validity.typeMismatch) return mismatchWords[type] ?? control.validationMessage;
  if (validity.badInput) return type === 'number' ? 'Enter a number.' : 'Enter a complete date.';
  if (validity.tooShort) return `Enter at least ${minLength} characters.`;
  if (validity.rangeUnderflow) return leastValue(min);
  if (validity.rangeOverflow) return greatestValue(max);
  if (validity.stepMismatch) return FEWER_DECIMALS;
  if (validity.patternMismatch) return 'The value does not have the form that is described here.';
  return control.validationMessage;
}

function missing({ type }: Control): string {
  if (type === 'checkbox') return 'Tick this box.';
  return type.startsWith('select') ? 'Choose one.' : 'Fill in this field.';
}
