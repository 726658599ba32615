/** Replaces the placeholders of a template as the benchmark does. `{{` and `}}` stand for braces. */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{|\}\}|\{([A-Z_]+)\}/g, (text, name: string | undefined) => {
    if (name === undefined) return text[0]!;
    const value = values[name];
    if (value === undefined) throw new Error(`the template has an unknown placeholder ${text}`);
    return value;
  });
}
