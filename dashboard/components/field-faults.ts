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
    if (!willValidate || validity.valid || name === '' || name in faults) continue;
    faults[name] = wordsFor(element as Control);
  }
  return faults;
}

/** Says what to do. The messages of the browser are in its own language, and go away by themselves. */
function wordsFor(control: Control): string {
  const { validity, type } = control;
  const { min = '', max = '', minLength = 0 } = control as Partial<HTMLInputElement>;
  if (validity.valueMissing) return missing(control);
  if (validity.typeMismatch) return mismatchWords[type] ?? control.validationMessage;
  if (validity.badInput) return type === 'number' ? 'Enter a number.' : 'Enter a complete date.';
  if (validity.tooShort) return `Enter at least ${minLength} characters.`;
  if (validity.rangeUnderflow) return `The least value is ${min}.`;
  if (validity.rangeOverflow) return `The greatest value is ${max}.`;
  if (validity.stepMismatch) return 'Enter a number with fewer decimals.';
  if (validity.patternMismatch) return 'The value does not have the form that is described here.';
  return control.validationMessage;
}

function missing({ type }: Control): string {
  if (type === 'checkbox') return 'Tick this box.';
  return type.startsWith('select') ? 'Choose one.' : 'Fill in this field.';
}
