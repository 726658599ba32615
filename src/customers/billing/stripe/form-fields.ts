export type FormValue =
  | string
  | number
  | boolean
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/** Encodes nested fields as Stripe's API reads them: `a[b][0]=c`. Undefined fields are left out. */
export function formFields(fields: Readonly<Record<string, FormValue>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) add(form, name, value);
  return form;
}

function add(form: URLSearchParams, name: string, value: FormValue): void {
  if (value === undefined) return;
  if (typeof value !== 'object') form.append(name, String(value));
  else for (const [inner, member] of Object.entries(value)) add(form, `${name}[${inner}]`, member);
}
